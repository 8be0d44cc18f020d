/** Copies of a program's database that are left beside it before we write to it, for people who want to look back. */
import { basename, dirname, join } from "node:path";
import { isThere, namesIn } from "../fs/own-files.ts";

const KEPT = 3;

/** Named by its time, so that names sort by age; never by a name that the program itself uses for a backup. */
export function newCopy(path: string, now: Date): string {
  const copy = `${path}.rethread-${now.toISOString().replace(/[-:.]/g, "")}`;
  let free = copy;
  for (let number = 2; isThere(free); number++) free = `${copy}-${number}`;
  return free;
}

/** All but the newest of them. */
export function oldCopies(path: string): string[] {
  const prefix = `${basename(path)}.rethread-`;
  const copies = namesIn(dirname(path)).filter((name) => name.startsWith(prefix));
  return copies
    .sort()
    .slice(0, -KEPT)
    .map((name) => join(dirname(path), name));
}
