/** What is at a path right now, with all that is below it; links are seen as links. */
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../model/plan.ts";

/** Outermost first, in the order of their names; nothing where there is nothing. */
export function readTree(path: string): Entry[] {
  const entry = lookAt(path);
  if (!entry) return [];
  if (entry.kind !== "folder") return [entry];
  return [
    entry,
    ...readdirSync(path)
      .sort()
      .flatMap((name) => readTree(join(path, name))),
  ];
}

/** Throws for what is neither file, folder nor link: nobody could put that back. */
export function lookAt(path: string): Entry | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const { mtimeMs, ino, size } = stats;
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { kind: "folder", path, mode, mtimeMs };
  if (stats.isSymbolicLink()) return { kind: "link", path, target: readlinkSync(path) };
  if (stats.isFile()) return { kind: "file", path, mode, mtimeMs, size, ino };
  throw Object.assign(new Error(`ENOTSUP: neither a file nor a folder, '${path}'`), { code: "ENOTSUP" });
}

/** The disk to which a path belongs, or will. */
export function deviceOf(path: string): number {
  for (let at = path; ; at = join(at, "..")) {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats) return stats.dev;
  }
}
