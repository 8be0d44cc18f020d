/** Why a home stays where it is. */
import { AppError } from "../../model/errors.ts";
import { nameSome } from "../../model/name-some.ts";
import { shellLine } from "../../model/shell-words.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";

export const noHome = (label: string, path: string): AppError =>
  new AppError(
    "nothing-found",
    `${path} is no home of ${label}`,
    "Name a home, or an archive that rethread migrate made, with --from",
  );

export const unopened = (path: string, error: unknown): AppError =>
  new AppError(
    "unreadable",
    `${path} cannot be read: ${reasonOf(error)}`,
    "Name an archive that rethread migrate made, with --from",
    error,
  );

export const noHomeInside = (path: string): AppError =>
  new AppError(
    "bundle-unknown",
    `${path} holds single sessions, not a whole home`,
    `Take them in with: ${shellLine`rethread import ${path}`}`,
  );

export const running = (label: string, pid: number): AppError =>
  new AppError(
    "agent-running",
    `${label} has a session of this home open (process ${pid}), so a copy of it would be torn`,
    "Close it and run the command again; if it is not open, add --ignore-lock",
  );

export const overlapping = (from: string, to: string): AppError =>
  new AppError("usage", `${from} and ${to} lie one in the other`, "Name a folder elsewhere with --to");

export const unreadable = (path: string, error: unknown): AppError =>
  new AppError(
    "unreadable",
    `${path} cannot be read: ${reasonOf(error)}, so a copy would lack it`,
    "Make it readable and run the command again",
    error,
  );

export const unnamed = (path: string, folder: string): AppError =>
  new AppError(
    "unreadable",
    `${path} was listed but is not there: gone just now, or its name is no valid text`,
    `Run the command again, or look at the names in ${folder}`,
  );

export const unportable = (path: string): AppError =>
  new AppError(
    "not-supported",
    `${JSON.stringify(path)} is a name that means something else on other systems, so an archive cannot hold it`,
    "Rename it, or migrate to a folder",
  );

export const deadEnd = (path: string, target: string): AppError =>
  new AppError(
    "unreadable",
    `${path} leads to ${target}, where nothing is now, so the sessions behind it cannot be copied`,
    "Bring back what it leads to (a disk that is not mounted?), or remove the link",
  );

export const changing = (path: string): AppError =>
  new AppError(
    "session-changed",
    `${path} came or went while the home was read, so nothing was written`,
    "Run the command again",
  );

export const otherHome = (path: string, source: string): AppError =>
  new AppError(
    "not-supported",
    `${path} holds a home of ${JSON.stringify(source)}, which cannot be brought back here`,
    "Any tar opens it; its manifest.json says what is in it",
  );

export const bothArchives = (): AppError =>
  new AppError("usage", "One archive need not be migrated to another", "Copy the file instead");

export const noPlace = (path: string, error: unknown): AppError =>
  new AppError(
    "permission-denied",
    `${path} cannot be written: ${reasonOf(error)}`,
    "Name another place with --to",
    error,
  );

export const isThere = (path: string): AppError =>
  new AppError("file-exists", `${path} is already there`, "Name another place with --to");

export const notEmpty = (path: string, names: readonly string[]): AppError =>
  new AppError(
    "file-exists",
    `${path} is not empty: ${nameSome(names)} would be in the way`,
    "Name a new or empty folder with --to",
  );

export const badDatabaseInside = (name: string, error: unknown): AppError =>
  new AppError(
    "bundle-damaged",
    `${name} in the archive is not the database that its manifest describes: ${reasonOf(error)}; nothing was written`,
    "Get the archive once more from where it came from",
    error,
  );

export const badDatabase = (path: string, error: unknown): AppError =>
  new AppError(
    "unreadable",
    `${path} cannot be copied whole: ${reasonOf(error)}`,
    "Let it be rebuilt first: rethread index --copilot",
    error,
  );
