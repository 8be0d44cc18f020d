/**
 * The operations that change an agent's files. All of them go through here, so that tests can make any of them fail.
 */
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  futimesSync,
  linkSync,
  lstatSync,
  lutimesSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isErrno } from "../fs/session-fs.ts";
import { packFiles, unpackFiles } from "../process/system-tar.ts";
import { changeValues, copyBetweenWrites } from "../sqlite/key-values.ts";
import { makeFolder, syncFolder } from "./own-files.ts";
import { give, giveFile, isOurs, isRefusedOwner, type Owner } from "./ownership.ts";

export interface Disk {
  makeFolder(path: string, mode: number): void;
  /** A new file, safe on the disk when this returns; it may be laid out already, empty, by `unpack`. */
  write(
    path: string,
    content: AsyncIterable<Uint8Array>,
    look: Look,
    state?: "new" | "laid-out",
  ): Promise<void>;
  link(path: string, target: string, look?: Partial<Look>): void;
  /** Owner, mode and time of a folder, once all is in it. */
  finishFolder(path: string, look: Look): void;
  /** Whether what is made in a folder can be given to somebody: root may do that, others only to their own groups. */
  canGive(folder: string, owner: Owner): boolean;
  /** Files and folders as an archive, for what its headers say of their attributes. */
  pack: typeof packFiles;
  /** Files and folders with the attributes that the headers of an archive say. */
  unpack: typeof unpackFiles;
  /** Where it takes the place of a file, the time of the folder stays, as if the file had been written where it is. */
  rename(from: string, to: string): void;
  /** A second name for a file, so that it can still be looked at when the first is another's. Not every disk has such. */
  alias(path: string, to: string): void;
  /** With all that is below it; nothing where there is nothing. */
  remove(path: string): void;
  removeIfEmpty(path: string): void;
  /** A program's database as it is between two writes, safe on the disk when this returns. */
  copyDatabase: typeof copyBetweenWrites;
  /** In one transaction, safe on the disk when this returns. */
  changeValues: typeof changeValues;
  /** What was renamed into or out of it stays so, whatever happens to the machine. */
  sync(folder: string): void;
}

/** Without an owner, it belongs to the user of this process. */
export interface Look extends Partial<Owner> {
  readonly mode: number;
  readonly mtimeMs: number;
}

/** As seconds, which keep the fractions; for a time before 1970 Node takes the current one unless it gets a date. */
const toTime = (ms: number): number | Date => (ms < 0 ? new Date(ms) : ms / 1000);

/** Only its owner may do that; for all others the folder has changed now. */
function setTime(folder: string, { atimeMs, mtimeMs }: Stats): void {
  try {
    utimesSync(folder, toTime(atimeMs), toTime(mtimeMs));
  } catch (error) {
    if (!isErrno(error, "EPERM", "EACCES")) throw error;
  }
}

export const localDisk: Disk = {
  makeFolder,
  async write(path, content, { mode, mtimeMs, uid, gid }, state = "new") {
    const fd = openSync(path, state === "new" ? "wx" : "r+", 0o600);
    try {
      for await (const chunk of content) for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
      if (uid !== undefined && gid !== undefined) giveFile(fd, { uid, gid });
      fchmodSync(fd, mode); // after the owner: a change of that takes away some of its bits
      futimesSync(fd, toTime(mtimeMs), toTime(mtimeMs));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  },
  link(path, target, { uid, gid, mtimeMs } = {}) {
    symlinkSync(target, path);
    if (uid !== undefined && gid !== undefined) give(path, { uid, gid });
    if (mtimeMs !== undefined) lutimesSync(path, toTime(mtimeMs), toTime(mtimeMs));
  },
  finishFolder(path, { mode, mtimeMs, uid, gid }) {
    syncFolder(path);
    if (uid !== undefined && gid !== undefined) give(path, { uid, gid });
    chmodSync(path, mode);
    utimesSync(path, toTime(mtimeMs), toTime(mtimeMs));
  },
  canGive(folder, owner) {
    if (isOurs(owner)) return true;
    const probe = join(folder, "owner-probe");
    const fd = openSync(probe, "w", 0o600);
    try {
      giveFile(fd, owner);
      return true;
    } catch (error) {
      if (!isRefusedOwner(error)) throw error;
      return false;
    } finally {
      closeSync(fd);
      rmSync(probe);
    }
  },
  pack: packFiles,
  unpack: unpackFiles,
  rename(from, to) {
    const isReplaced = lstatSync(to, { throwIfNoEntry: false })?.isFile();
    const folder = isReplaced ? statSync(dirname(to)) : undefined;
    renameSync(from, to);
    if (folder) setTime(dirname(to), folder);
  },
  alias(path, to) {
    try {
      linkSync(path, to);
    } catch (error) {
      if (!isErrno(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) throw error;
    }
  },
  remove: (path) => rmSync(path, { recursive: true, force: true }),
  removeIfEmpty(path) {
    try {
      rmdirSync(path);
    } catch (error) {
      if (!isErrno(error, "ENOTEMPTY", "ENOENT", "EEXIST")) throw error;
    }
  },
  copyDatabase: copyBetweenWrites,
  changeValues,
  sync: syncFolder,
};
