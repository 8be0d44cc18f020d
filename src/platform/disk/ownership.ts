/**
 * Sets the owner of new files. When root creates a file, it gets the owner of its folder, so that this user can use it.
 */
import {
  closeSync,
  existsSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Windows knows no such numbers. */
const HAS_OWNERS = process.geteuid !== undefined;
const SET_GROUP_ID = 0o2000;

const isRoot = (): boolean => process.geteuid?.() === 0;

/** As the system reports it; nothing where it has no owners. */
export const ownerOf = ({ uid, gid }: Owner): Owner | undefined => (HAS_OWNERS ? { uid, gid } : undefined);

/**
 * The owner that a new entry of a folder should have, where that is not simply ours. The folder may be missing still:
 * then the nearest one above it decides.
 */
export function ownerIn(folder: string): Owner | undefined {
  if (!HAS_OWNERS) return undefined;
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  const { uid, gid, mode } = statSync(there);
  if (isRoot()) return { uid, gid };
  // What is made in such a folder gets its group. We make it elsewhere and move it there, which keeps the group.
  return (mode & SET_GROUP_ID) === 0 ? undefined : { uid: process.geteuid?.() ?? uid, gid };
}

/** Of a folder that may be missing still: the nearest one above it decides. */
export function isOurFolder(folder: string): boolean {
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  return statSync(there).uid === process.geteuid?.();
}

export const isOurs = ({ uid, gid }: Owner): boolean =>
  uid === process.geteuid?.() && gid === process.getegid?.();

/** An open file. Without the right to do so this throws, unless the owner is the same already. */
export function giveFile(fd: number, { uid, gid }: Owner): void {
  const now = fstatSync(fd);
  if (now.uid !== uid || now.gid !== gid) fchownSync(fd, uid, gid);
}

/** A folder or a link; a link is not followed. */
export function give(path: string, { uid, gid }: Owner): void {
  const now = lstatSync(path);
  if (now.uid !== uid || now.gid !== gid) lchownSync(path, uid, gid);
}

/** Opens a file of our own for writing. One that root makes belongs to the owner of its folder. */
export function openOwn(path: string, flags: "a" | "w" | "wx", mode?: number): number {
  const owner = isRoot() && !existsSync(path) ? ownerIn(dirname(path)) : undefined;
  const fd = owner ? createNew(path, flags, mode) : openSync(path, flags, mode);
  try {
    if (owner) giveFile(fd, owner);
  } catch (error) {
    // In a container, root may lack that right. Then the file is ours, as it was made.
    if (!isRefusedOwner(error)) {
      closeSync(fd);
      throw error;
    }
  }
  return fd;
}

/** Through a link that leads nowhere yet, the owner of the folder could have root make a file anywhere, and get it. */
function createNew(path: string, flags: "a" | "w" | "wx", mode?: number): number {
  try {
    return openSync(path, flags === "a" ? "ax" : "wx", mode);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === "EEXIST";
    if (flags === "wx" || !isTaken || lstatSync(path).isSymbolicLink()) throw error;
    return openSync(path, flags, mode); // another process was faster
  }
}

/** Folders that were just made, from the outermost to the innermost. */
export function giveFolders(first: string, last: string): void {
  const owner = isRoot() ? ownerIn(dirname(first)) : undefined;
  if (!owner) return;
  try {
    for (let at = last; at.length >= first.length; at = dirname(at)) give(at, owner);
  } catch (error) {
    if (!isRefusedOwner(error)) throw error;
  }
}

/** A file, or the folder above it that we may not enter, where it belongs to another user: that is why we cannot use it. */
export function findOtherOwner(path: string): { readonly path: string; readonly uid: number } | undefined {
  if (!HAS_OWNERS || isRoot()) return undefined;
  for (let at = path; ; at = dirname(at)) {
    try {
      const { uid } = lstatSync(at);
      return uid === process.geteuid?.() ? undefined : { path: at, uid };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EACCES" || dirname(at) === at) return undefined;
    }
  }
}

/** The system does not let us give files away, does not know that owner, or the disk has none. */
export const isRefusedOwner = (error: unknown): boolean =>
  ["EPERM", "EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EROFS", "EACCES"].includes(
    (error as NodeJS.ErrnoException).code ?? "",
  );
