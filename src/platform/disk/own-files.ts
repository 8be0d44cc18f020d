/** Files in our own data folder: nothing here ever touches an agent's files. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive } from "../process/processes.ts";
import { giveFolders, openOwn } from "./ownership.ts";
import { openRegular } from "./regular-file.ts";

/** A path, or the first above it where something is. */
export function nearestThere(path: string): string {
  let at = path;
  // Of a drive that is missing not even the root is there.
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

/** With those above it. One by one, as Node's own way never ends where a disk takes no folders, such as /proc. */
export function makeFolder(path: string, mode = 0o700): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const each of missing) {
    try {
      mkdirSync(each, mode);
    } catch (error) {
      // Another process may have been faster; else it is a link that leads nowhere.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (!existsSync(each)) throw notAFolder(each);
    }
  }
  if (missing[0] !== undefined) giveFolders(missing[0], path);
  else if (!statSync(path).isDirectory()) throw notAFolder(path);
}

const notAFolder = (path: string): Error =>
  Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: "ENOTDIR" });

/** Renames a database with its companions to a name that is free, and returns that. Another process may have been faster. */
export function moveAside(path: string, suffix: string): string {
  let aside = `${path}.${suffix}`;
  for (let number = 2; existsSync(aside); number++) aside = `${path}.${suffix}-${number}`;
  // The database first: beside a new one, SQLite throws away a log that it finds there.
  for (const companion of ["", "-wal", "-shm"]) {
    try {
      renameSync(path + companion, aside + companion);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return basename(aside);
}

/** Distinguishes this run from a killed one with the same process id, as in successive containers. */
const RUN = Math.floor(Math.random() * 2 ** 32)
  .toString(16)
  .padStart(8, "0");
let named = 0;

/** For a file that is only there for a while: named after this process, and after nothing else that ever ran. */
export const temporaryName = (prefix: string): string => `${prefix}${process.pid}-${RUN}-${named++}`;

/** Removes what killed processes left behind: files that are named after a process that no longer runs. */
export function removeLeftBehind(folder: string, prefix: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(prefix) && isLeftBehind(name.slice(prefix.length)))
      rmSync(join(folder, name), { force: true, recursive: true });
}

function isLeftBehind(mark: string): boolean {
  const [, pid, run = RUN] = /^(\d+)(?:-([0-9a-f]{8})-)?/.exec(mark) ?? [];
  if (pid === undefined) return false;
  return Number(pid) === process.pid ? run !== RUN : !isAlive(Number(pid));
}

export function removeDatabase(path: string): void {
  for (const companion of ["", "-wal", "-shm", "-journal"]) rmSync(path + companion, { force: true });
}

/** Which file it is, whatever its name; nothing where there is none. */
export const identityOf = (path: string): number | undefined =>
  statSync(path, { throwIfNoEntry: false })?.ino;

/** When it was last written to, as a number; 0 where there is nothing in it. */
export function changedAt(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && stats.size > 0 ? stats.mtimeMs : 0;
}

/** Atomic within one disk: readers see the old name or the new one. */
export function renameFile(from: string, to: string): void {
  renameSync(from, to);
}

export const isThere = (path: string): boolean => existsSync(path);

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Nothing where there is no such file. */
export function sizeIfThere(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : undefined;
}

/** Nothing where there is no such file. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    const fd = openRegular(path);
    try {
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // Node does not tell which one it was when it opens a folder and cannot read it.
    if (code === "EISDIR") throw Object.assign(error as Error, { path });
    if (!["ENOENT", "ENOTDIR"].includes(code)) throw error;
    return undefined;
  }
}

/** Its first bytes as text; nothing where there is no such file. */
export function readStart(path: string, bytes: number): string | undefined {
  let fd: number;
  try {
    fd = openRegular(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
  try {
    const start = Buffer.alloc(bytes);
    return start.toString("utf8", 0, readSync(fd, start));
  } finally {
    closeSync(fd);
  }
}

/** Nothing where there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return [];
  }
}

export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
}

/** Nothing where there is no such folder. Links are followed. */
export function entriesIn(folder: string): Entry[] {
  return namesIn(folder).map((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return { name, kind: stats?.isFile() ? "file" : stats?.isDirectory() ? "folder" : "other" };
  });
}

/** Only then is it certain that the files in it are still there after a power cut. Windows has no such thing. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Only then is it certain that what was written to it is still there after a power cut. */
export function syncFile(path: string): void {
  const fd = openSync(path, "r+");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Only that it is there counts. */
export function createEmpty(path: string): void {
  closeSync(openOwn(path, "a", 0o600));
}

export function removeFile(path: string): void {
  rmSync(path, { force: true });
}

/** With all that is in it. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
