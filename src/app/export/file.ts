/** A file for people, written whole or not at all, with failures that they can act on. */
import { AppError } from "../../model/errors.ts";
import { createNewFile, type NewFile, type NewFileOptions } from "../../platform/disk/new-file.ts";
import { isErrno, reasonOf } from "../../platform/fs/session-fs.ts";
import type { OutputGuard } from "./output-guard.ts";

export interface OutputOptions extends NewFileOptions {
  readonly guard: Pick<OutputGuard, "check">;
  /** The next step when it cannot be written. */
  readonly hint?: string;
}

export async function writeNewFile(
  path: string,
  { guard, hint, ...options }: OutputOptions,
  tell: (write: NewFile["write"]) => Promise<void>,
): Promise<void> {
  guard.check(path);
  try {
    const file = createNewFile(path, options);
    try {
      await tell(file.write);
    } catch (error) {
      file.discard();
      throw error;
    }
    file.finish();
  } catch (error) {
    throw toAppError(error, path, hint);
  }
}

function toAppError(error: unknown, path: string, named: string | undefined): unknown {
  if (isErrno(error, "EEXIST")) return fileExists(path, error, named);
  const hint = named ?? "Name another file with --out";
  // What the system says has a code; anything else is for its own people.
  if (error instanceof AppError || !(error instanceof Error && /^E[A-Z0-9]+$/.test(codeOf(error))))
    return error;
  return ["ENOSPC", "EDQUOT", "EFBIG"].includes(codeOf(error))
    ? new AppError("disk-full", `No space is left for ${path}`, hint, error)
    : new AppError("permission-denied", `${path} could not be written: ${reasonOf(error)}`, hint, error);
}

const codeOf = (error: Error): string => String((error as NodeJS.ErrnoException).code ?? "");

export const fileExists = (
  path: string,
  cause?: unknown,
  hint = "Add --force to replace it, or name another file",
): AppError => new AppError("file-exists", `${path} already exists`, hint, cause);
