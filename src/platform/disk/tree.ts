/** Looks at what is at a path itself: a link is seen as a link. */
import { lstatSync, readlinkSync, renameSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../../model/plan.ts";
import { isErrno } from "../fs/session-fs.ts";
import { nearestThere } from "./own-files.ts";
import { ownerOf } from "./ownership.ts";

/** Throws for entries that are neither files, folders nor links, because they could not be restored. */
export function lookAt(path: string): Entry | undefined {
  const stats = statOfEntry(path);
  if (!stats) return undefined;
  const { mtimeMs, ino, size } = stats;
  const mode = stats.mode & 0o7777;
  const owner = ownerOf(stats);
  if (stats.isDirectory()) return { kind: "folder", path, mode, mtimeMs, ...owner };
  if (stats.isSymbolicLink()) return { kind: "link", path, target: readlinkSync(path), mtimeMs, ...owner };
  if (stats.isFile()) return { kind: "file", path, mode, mtimeMs, size, ino, ...owner };
  throw Object.assign(new Error(`ENOTSUP: neither a file nor a folder, '${path}'`), { code: "ENOTSUP" });
}

/** Nothing also where a file is in the place of a folder above. */
function statOfEntry(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isErrno(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

/** Whether there is anything at a path, be it a link that leads nowhere. */
export const isTakenUp = (path: string): boolean => statOfEntry(path) !== undefined;

/**
 * Whether a rename leads from one folder into the other, where they are or will be. The numbers of devices do not tell:
 * one may be mounted twice, as containers do it, and a folder may be a link to another disk. Asked with a name that is
 * not there, the system answers and does nothing.
 */
export function isOneDisk(from: string, to: string): boolean {
  // The global one, because it is loaded on first use and rarely needed.
  const name = `.rethread-${crypto.randomUUID()}`;
  try {
    renameSync(join(nearestThere(from), name), join(nearestThere(to), name));
  } catch (error) {
    return !isErrno(error, "EXDEV");
  }
  return true;
}
