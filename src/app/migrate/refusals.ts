/** The errors of migrations, each with a next step. */
import { AppError } from "../../model/errors.ts";
import { nameSome } from "../../model/text/name-some.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";

export const noHome = (label: string, path: string): AppError =>
  new AppError(
    "nothing-found",
    `${path} is not a home of ${label}`,
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
  new AppError("bundle-unknown", `${path} has single sessions, not a whole home`, {
    say: "Import them with",
    remedy: { action: "import", args: { file: path } },
  });

export const running = (label: string, pid: number): AppError =>
  new AppError(
    "agent-running",
    `${label} has a session of this home open (process ${pid}), so a copy of it could be inconsistent`,
    "Close it, then run the command again; if it is not open, add --ignore-lock",
  );

export const overlapping = (from: string, to: string): AppError =>
  new AppError("usage", `One of ${from} and ${to} contains the other`, "Name a folder elsewhere with --to");

export const unreadable = (path: string, error: unknown): AppError =>
  new AppError(
    "unreadable",
    `${path} cannot be read: ${reasonOf(error)}; a copy would be incomplete`,
    "Make it readable, then run the command again",
    error,
  );

export const unnamed = (path: string, folder: string): AppError =>
  new AppError(
    "unreadable",
    `${path} was listed but cannot be found: it was just removed, or its name is not valid text`,
    `Run the command again, or check the names in ${folder}`,
  );

export const unportable = (path: string): AppError =>
  new AppError(
    "not-supported",
    `${JSON.stringify(path)} is a name that is not valid on other systems, so an archive cannot contain it`,
    "Rename it, or migrate to a folder",
  );

export const deadEnd = (path: string, target: string): AppError =>
  new AppError(
    "unreadable",
    `${path} is a link to ${target}, which does not exist, so its sessions cannot be copied`,
    "Restore its target (is a disk not mounted?), or remove the link",
  );

export const changing = (path: string): AppError =>
  new AppError(
    "session-changed",
    `${path} was created or removed while the home was read, so nothing was written`,
    "Run the command again",
  );

export const otherHome = (path: string, source: string): AppError =>
  new AppError(
    "not-supported",
    `${path} has a home of ${JSON.stringify(source)}, which cannot be restored here`,
    "tar can open it; its manifest.json lists what is in it",
  );

export const bothArchives = (): AppError =>
  new AppError("usage", "An archive cannot be migrated to another archive", "Copy the file instead");

export const noPlace = (path: string, error: unknown): AppError =>
  new AppError(
    "permission-denied",
    `${path} could not be written: ${reasonOf(error)}`,
    "Name another place with --to",
    error,
  );

export const isThere = (path: string): AppError =>
  new AppError("file-exists", `${path} already exists`, "Name another place with --to");

export const notEmpty = (path: string, names: readonly string[]): AppError =>
  new AppError(
    "file-exists",
    `${path} is not empty: it has ${nameSome(names)}`,
    "Name a new or empty folder with --to",
  );

export const badDatabaseInside = (name: string, error: unknown): AppError =>
  new AppError(
    "bundle-damaged",
    `${name} in the archive is not the database that the manifest describes: ${reasonOf(error)}; nothing was written`,
    "Get the archive again from where it came from",
    error,
  );

export const badDatabase = (path: string, error: unknown): AppError =>
  new AppError(
    "unreadable",
    `${path} cannot be copied completely: ${reasonOf(error)}`,
    { say: "Rebuild it first", remedy: { action: "index", args: { copilot: true } } },
    error,
  );
