/** Handles files of newer versions of an agent's program: they are read as far as possible, and never changed. */
import { AppError } from "../errors.ts";

export const UPDATE = "Update rethread; until then this is read as far as possible, and not changed";

/** Whether a version that a file names is beyond the last one that we know. What is no number is damage, not news. */
export const isNewerThan = (version: unknown, known: number): boolean =>
  typeof version === "number" && version > known;

export const newerThanKnown = (what: string, why?: string): AppError =>
  new AppError(
    "format-newer",
    why === undefined
      ? `${what} has a newer format than this rethread knows, so nothing was changed`
      : `${what} is not changed: ${why}`,
    "Update rethread and run the command again; reading and exporting still work",
  );
