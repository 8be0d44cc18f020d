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
  read(path: string, range?: ByteRange): Promise<Uint8Array>;
  /** The file in pieces. A piece is only valid until the next one is asked for. */
  chunks(path: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  write(path: string, data: Uint8Array | string, mode?: number): Promise<void>;
  append(path: string, data: Uint8Array | string): Promise<void>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<FileStat>;
  mkdir(path: string): Promise<void>;
  readdir(path: string): Promise<FolderEntry[]>;
  rm(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Sets the time of a file's last change, where that can be set. */
  touch?(path: string, mtimeMs: number): Promise<void>;
}

export const isErrno = (error: unknown, ...codes: string[]): error is NodeJS.ErrnoException =>
  error instanceof Error && "code" in error && codes.includes(String((error as NodeJS.ErrnoException).code));

/** A short reason for people: "permission denied", not "EACCES: permission denied, open '/…'". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const words = /^[A-Z0-9_]+: ([^,]+)/.exec(error.message)?.[1];
  return words ?? error.message;
}
