/** Opens Copilot CLI's own session-store.db if its schema is known, and turns failures into errors with a next step. */
import { AppError } from "../../model/errors.ts";
import { isFolder } from "../../platform/disk/own-files.ts";
import { isOutOfSpace, openExisting, SQLITE, sqliteCode } from "../../platform/sqlite/sqlite.ts";
import { type Opened, openCopy } from "../../platform/sqlite/untouched.ts";
import { SCHEMA } from "./tables.ts";

/** Readers get a copy, so that the file and its folder do not change. */
export function openKnown(path: string, readOnly: boolean, patienceMs?: number): Opened {
  if (isFolder(path))
    throw new AppError(
      "unreadable",
      `${path} is a folder, but should be Copilot CLI's store`,
      "Move it away and start Copilot CLI, which creates a new store; then run this command again to fill it",
    );
  let opened: Opened | undefined;
  try {
    opened = readOnly ? openCopy(path) : inPlace(path, patienceMs);
    const version = opened.db.prepare("SELECT version FROM schema_version").get()?.version;
    if (version !== SCHEMA) throw unknownSchema(path, `has version ${version ?? "?"}`);
    return opened;
  } catch (error) {
    opened?.close();
    throw explain(error, path);
  }
}

function inPlace(path: string, patienceMs?: number): Opened {
  const db = openExisting(path, patienceMs);
  return { db, close: () => db.close() };
}

const unknownSchema = (path: string, what: string, cause?: unknown): AppError =>
  new AppError(
    "not-supported",
    `${path} ${what}, and Rethread only knows version ${SCHEMA}; nothing was changed`,
    "Rebuild it with Copilot CLI instead: type /chronicle reindex there",
    cause,
  );

/** Anything that is not about the database passes unchanged. */
export function explain(error: unknown, path: string): unknown {
  if (error instanceof AppError) return error;
  if (isOutOfSpace(error)) {
    return new AppError(
      "disk-full",
      `No space is left to write ${path}`,
      "Free some space, then run the command again; it continues where it stopped",
      error,
    );
  }
  switch (sqliteCode(error)) {
    case SQLITE.BUSY:
      return new AppError(
        "agent-running",
        `${path} is in use by another program, most likely Copilot CLI`,
        "Close Copilot CLI, then run the command again; it continues where it stopped",
        error,
      );
    case SQLITE.CORRUPT:
    case SQLITE.NOTADB:
      return new AppError(
        "unreadable",
        `${path} is damaged`,
        "Move it away and start Copilot CLI, which creates a new one; then run this command again to fill it",
        error,
      );
    case SQLITE.READONLY:
    case SQLITE.CANTOPEN:
    case SQLITE.IOERR:
      return new AppError(
        "permission-denied",
        `${path} cannot be written`,
        "Check the permissions of the file and its folder",
        error,
      );
    case SQLITE.ERROR:
      return unknownSchema(path, `has different tables (${(error as Error).message})`, error);
    default:
      return error;
  }
}
