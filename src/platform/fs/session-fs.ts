/**
 * The file operations that sessions need, as an interface, so that sessions in memory, in a database or at a remote
 * provider are read by the same code as those on disk. Paths are absolute; errors carry a Node `code`.
 */

import type { Entry } from "../../model/plan.ts";

export interface FileStat {
  readonly kind: "file" | "folder" | "other";
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly mode: number;
  /** When the file was made, where that is known. */
  readonly birthtimeMs?: number;
}

/** Nothing where there is nothing, and the error where that cannot be told. */
export type StatAnswer = FileStat | Error | undefined;

export interface FolderEntry {
  readonly name: string;
  /** Links are followed; a link that leads nowhere is "other". */
  readonly kind: "file" | "folder" | "other";
  /** The entry is a symbolic link. */
  readonly isLink?: true;
}

export interface ByteRange {
  readonly start: number;
  /** The byte after the last one. */
  readonly end?: number;
}

/** What only a file system with symbolic links can answer. To be asked through `fs-links.ts` and `fs-identity.ts`. */
export interface FsLinks {
  /** What is at a path itself: a link is seen as a link. Undefined where there is nothing. */
  entryAt(path: string): Promise<Entry | undefined>;
  /** The path with every link followed. What is not there keeps its name. */
  leadsTo(path: string): Promise<string>;
  /** The same for two paths only if they are one file or folder; undefined where there is none, or it is out of reach. */
  identityAt(path: string): Promise<string | undefined>;
}

/** What a file system can do that keeps several changes together, as a database does. */
export interface FsTransactions {
  /** Whether a path lies where it keeps files. */
  holds(path: string): boolean;
  /** Rejects while another program holds one of the sessions that these paths are of. */
  check(paths: readonly string[]): Promise<void>;
  /**
   * What `work` writes to the sessions that these paths are of is there as a whole when it has ended, or nothing of it
   * is. Rejects while another program holds one of them. The name is given once.
   */
  run<T>(name: string, paths: readonly string[], work: (fs: SessionFs) => Promise<T>): Promise<T>;
  /** Whether the one of this name was done. From then on that is certain: one that was not never will be. */
  settle(name: string): Promise<boolean>;
}

export interface SessionFs {
  /** True for the machine's own disk, where what cannot pass through here (a SQLite file) may be opened by its path. */
  readonly isDisk?: boolean;
  /** True where SQLite files are kept whole, so that a copy of their bytes can be opened instead. */
  readonly hasDatabases?: boolean;
  /** Without it there are no links: every path leads to itself. */
  readonly links?: FsLinks;
  /** Without it, only the disk can be changed by a plan. */
  readonly transactions?: FsTransactions;
  /** Refuses more than `LARGEST_READ` bytes. */
  read(path: string, range?: ByteRange): Promise<Uint8Array>;
  /** The file in pieces. A piece is only valid until the next one is asked for. */
  chunks(path: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  write(path: string, data: Uint8Array | string, mode?: number): Promise<void>;
  append(path: string, data: Uint8Array | string): Promise<void>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<FileStat>;
  /** Many at once, in the same order, where that is cheaper than one by one; to be asked through `statEach`. */
  statEach?(paths: readonly string[]): Promise<StatAnswer[]>;
  mkdir(path: string): Promise<void>;
  readdir(path: string): Promise<FolderEntry[]>;
  rm(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** The path without links, where there are such; nothing where a link leads nowhere or in a circle. */
  realPath?(path: string): Promise<string | undefined>;
  /** Sets the time of a file's last change, where that can be set. */
  touch?(path: string, mtimeMs: number): Promise<void>;
}

/** Looks at many files; one that cannot be looked at does not keep the others from being. */
export async function statEach(
  fs: Pick<SessionFs, "stat" | "statEach">,
  paths: readonly string[],
): Promise<StatAnswer[]> {
  if (fs.statEach) return fs.statEach(paths);
  const answers: StatAnswer[] = [];
  for (const path of paths) {
    try {
      answers.push(await fs.stat(path));
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      answers.push(isErrno(error, "ENOENT") ? undefined : error);
    }
  }
  return answers;
}

/** No more than this is read into one buffer: a file that is larger, or a hole of NULs, would fill the memory. */
export const LARGEST_READ = 256 << 20;

/** For file systems, before they read so many bytes at once. */
export function refuseTooLarge(path: string, bytes: number): void {
  if (bytes <= LARGEST_READ) return;
  const message = `ERR_FS_FILE_TOO_LARGE: larger than ${LARGEST_READ >> 20} MB, read '${path}'`;
  throw Object.assign(new Error(message), { code: "ERR_FS_FILE_TOO_LARGE", path });
}

/** Codes for what cannot be looked at; then it can neither be read nor written by us. */
export const OUT_OF_REACH = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES", "EPERM"];

export const isErrno = (error: unknown, ...codes: string[]): error is NodeJS.ErrnoException =>
  error instanceof Error && "code" in error && codes.includes(String((error as NodeJS.ErrnoException).code));

/** A short reason for people: "permission denied", not "EACCES: permission denied, open '/…'". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const words = /^[A-Z0-9_]+: ([^,]+)/.exec(error.message)?.[1];
  return words ?? error.message;
}
