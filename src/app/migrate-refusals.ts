/** Why a home stays where it is. */
import { AppError } from "../model/errors.ts";
import { nameSome } from "../model/name-some.ts";
import { reasonOf } from "../platform/session-fs.ts";

export const noHome = (label: string, path: string): AppError =>
  new AppError(
    "nothing-found",
    `${path} is no home of ${label}`,
    "Name a home, or an archive that rethread migrate made, with --from",
  );

export const noHomeInside = (path: string): AppError =>
  new AppError(
    "bundle-unknown",
    `${path} holds single sessions, not a whole home`,
    `Take them in with: rethread import ${path}`,
  );

export const running = (label: string, pid: number): AppError =>
  new AppError(
    "agent-running",
    `${label} has a session of this home open (process ${pid}), so a copy of it would be torn`,
    "Close it and run the command again; if it is not open, add --ignore-lock",
  );

export const overlapping = (from: string, to: string): AppError =>
  new AppError("usage", `${from} and ${to} lie one in the other`, "Name a folder elsewhere with --to");

export const bothArchives = (): AppError =>
  new AppError("usage", "One archive need not be migrated to another", "Copy the file instead");

export const isThere = (path: string): AppError =>
  new AppError("file-exists", `${path} is already there`, "Name another place with --to");

export const notEmpty = (path: string, names: readonly string[]): AppError =>
  new AppError(
    "file-exists",
    `${path} is not empty: ${nameSome(names)} would be in the way`,
    "Name a new or empty folder with --to",
  );

export const badDatabase = (path: string, error: unknown): AppError =>
  new AppError(
    "unreadable",
    `${path} cannot be copied whole: ${reasonOf(error)}`,
    "Let it be rebuilt first: rethread index --copilot",
    error,
  );
