/** Creates temporary folders. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "../../model/errors.ts";

/** TMPDIR may name a folder that is not there or not ours to write to; the usual places are tried as well. */
export const temporaryPlaces = (): string[] => [
  ...new Set([tmpdir(), ...(process.platform === "win32" ? [] : ["/tmp", "/var/tmp"])]),
];

/** A new, empty folder that nobody else may enter. */
export function makeTemporaryFolder(): string {
  let cause: unknown;
  for (const place of temporaryPlaces()) {
    try {
      return mkdtempSync(join(place, "rethread-"));
    } catch (error) {
      cause = error;
    }
  }
  throw new AppError(
    "permission-denied",
    `No folder for temporary files is writable (tried ${temporaryPlaces().join(", ")})`,
    "Set TMPDIR to a folder that you can write to",
    cause,
  );
}
