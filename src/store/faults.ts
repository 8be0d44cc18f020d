/** Turns failures of our own databases and files into errors that a person can act on. */
import { AppError } from "../model/errors.ts";
import { findOtherOwner } from "../platform/disk/ownership.ts";
import { reasonOf } from "../platform/fs/session-fs.ts";
import { isOutOfSpace, SQLITE, sqliteCode } from "../platform/sqlite/sqlite.ts";

export const isCorrupt = (error: unknown): boolean => {
  const code = sqliteCode(error);
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB;
};

/** What SQLite says of values rather than of the database: too large, or not what the table takes. */
const ABOUT_VALUES: ReadonlySet<number> = new Set([SQLITE.TOOBIG, SQLITE.CONSTRAINT, SQLITE.MISMATCH]);

/** Whether it is our database or disk that failed, and not what was to be written there. */
export function isStoreFault(error: unknown): boolean {
  if (error instanceof AppError) return true;
  const code = sqliteCode(error);
  if (code !== undefined) return !ABOUT_VALUES.has(code);
  return /^E[A-Z0-9]+$/.test(String((error as NodeJS.ErrnoException | undefined)?.code));
}

/** What went wrong with the database, as something a person can act on; anything else passes unchanged. */
export function toAppError(error: unknown, path: string): unknown {
  if (error instanceof AppError) return error;
  if (isOutOfSpace(error)) return diskFull(error, path);
  switch (sqliteCode(error) ?? (error as NodeJS.ErrnoException).code) {
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return diskFull(error, path);
    case SQLITE.BUSY:
      return new AppError(
        "store-busy",
        "Another rethread is writing to the store",
        "Run the command again in a moment, or add --no-refresh",
        error,
      );
    case SQLITE.READONLY:
    case SQLITE.CANTOPEN:
    case SQLITE.IOERR:
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "ENOENT":
    case "ENOTDIR":
    case "EEXIST":
      return new AppError("store-unusable", `${path} cannot be opened for writing`, hintFor(path), error);
    case "EISDIR":
    case "ERR_FS_EISDIR":
      return new AppError(
        "store-unusable",
        `${(error as NodeJS.ErrnoException).path ?? path} is a folder, but should be a file`,
        "Move it away, or set RETHREAD_HOME to another folder",
        error,
      );
    case "ELOOP":
    case "ENAMETOOLONG":
    case "ENOTEMPTY":
    case "EBUSY":
    case "EIO":
    case "EMFILE":
    case "ENFILE":
      return new AppError(
        "store-unusable",
        `${path} cannot be used: ${reasonOf(error)}`,
        hintFor(path),
        error,
      );
    default:
      return error;
  }
}

/** Another owner is what a command with sudo left, of a version that made files for root. */
function hintFor(path: string): string {
  const other = findOtherOwner(path);
  return other
    ? `${other.path} belongs to user ${other.uid}: change its owner with chown, or set RETHREAD_HOME to a folder that you can write to`
    : "Set RETHREAD_HOME to a folder that you can write to";
}

const diskFull = (error: unknown, path: string): AppError =>
  new AppError(
    "disk-full",
    `No space is left to write ${path}`,
    "Free some space, then run the command again; nothing was lost",
    error,
  );
