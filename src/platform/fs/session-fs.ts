/**
 * The file operations a session needs, as an interface, so that sessions kept elsewhere (in memory, in a database, by
 * a remote provider) are read by the very same code as those on disk. Paths are absolute; errors carry a Node `code`.
 */

export interface FileStat {
  readonly kind: "file" | "folder" | "other";
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly mode: number;
}

/** Nothing where there is nothing, and the error where that cannot be told. */
export type StatAnswer = FileStat | Error | undefined;

export interface FolderEntry {
  readonly name: string;
  /** Links are followed; a link that leads nowhere is "other". */
  readonly kind: "file" | "folder" | "other";
}

export interface ByteRange {
  readonly start: number;
  /** The byte after the last one. */
  readonly end?: number;
}

export interface SessionFs {
  /** True for the machine's own disk, where what cannot pass through here (a SQLite file) may be opened by its path. */
  readonly isDisk?: boolean;
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

export const isErrno = (error: unknown, ...codes: string[]): error is NodeJS.ErrnoException =>
  error instanceof Error && "code" in error && codes.includes(String((error as NodeJS.ErrnoException).code));

/** A short reason for people: "permission denied", not "EACCES: permission denied, open '/…'". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const words = /^[A-Z0-9_]+: ([^,]+)/.exec(error.message)?.[1];
  return words ?? error.message;
}
