/** Why a file cannot be imported, and what people can do about it. */
import { AppError } from "../../model/errors.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";

export const notTaken = (source: string): AppError =>
  new AppError(
    "not-supported",
    `Rethread cannot import sessions of ${source} yet`,
    "tar can open the bundle; its manifest.json lists what is in it",
  );

export const unknownSource = (
  source: string,
  known: readonly { readonly source: string; readonly label: string }[],
): AppError =>
  new AppError(
    "not-supported",
    `The bundle holds a session of ${JSON.stringify(source)}, which this rethread does not know; nothing was written`,
    `It knows ${known.map(({ label }) => label).join(", ")}; a newer rethread may know more`,
  );

export const oneName = (count: number): AppError =>
  new AppError("usage", `--name names one session, and this file has ${count}`, "Leave out --name");

export const isHome = (path: string): AppError =>
  new AppError("usage", `${path} is an archive of a whole home, not of single sessions`, {
    say: "Restore it to a folder",
    remedy: { action: "migrate", args: { from: path }, asks: { to: "folder" } },
  });

export const noSpace = (home: string, error: unknown): AppError =>
  new AppError(
    "disk-full",
    `No space is left in ${home} to unpack it`,
    "Free some space and run the command again",
    error,
  );

export const noFile = (path: string, error: unknown): AppError =>
  new AppError(
    "usage",
    `${path} cannot be read: ${reasonOf(error)}`,
    "Name a bundle, a transcript or an exported chat",
    error,
  );

export const isEmpty = (): AppError =>
  new AppError("bundle-damaged", "The bundle is empty", "Create the bundle again");
