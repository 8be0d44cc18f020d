/** Why a file cannot be imported, and what people can do about it. */
import { AppError } from "../../model/errors.ts";
import { shellLine } from "../../model/shell-words.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";

export const notTaken = (source: string): AppError =>
  new AppError(
    "not-supported",
    `Rethread does not import sessions of ${source} yet`,
    "Any tar opens the bundle; its manifest.json says what is in it",
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
  new AppError("usage", `${count} sessions cannot all have one name`, "Leave out --name");

export const isHome = (path: string): AppError =>
  new AppError(
    "usage",
    `${path} holds a whole home, not single sessions`,
    `Bring it back to a folder of its own: ${shellLine`rethread migrate --from ${path} --to <folder>`}`,
  );

export const noSpace = (home: string, error: unknown): AppError =>
  new AppError(
    "disk-full",
    `There is no space left to unpack it in ${home}`,
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

export const isEmpty = (): AppError => new AppError("bundle-damaged", "The bundle is empty", "Make it anew");
