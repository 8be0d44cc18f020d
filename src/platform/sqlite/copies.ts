/** Copies a program's database to a file beside it before we write to it. */
import { basename, dirname, join } from "node:path";
import { namesIn } from "../disk/own-files.ts";
import { copyPrefix } from "./copy-name.ts";

const KEPT = 3;

/** All but the newest of them. */
export function oldCopies(path: string): string[] {
  const prefix = copyPrefix(basename(path));
  const copies = namesIn(dirname(path)).filter((name) => name.startsWith(prefix));
  return copies
    .sort()
    .slice(0, -KEPT)
    .map((name) => join(dirname(path), name));
}
