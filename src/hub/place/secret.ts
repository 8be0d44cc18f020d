/** The hub's secret, from which the passwords of its roles are made: given by its operator, or made once and kept in a file. */
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { AppError } from "../../model/errors.ts";
import { createNewFile } from "../../platform/disk/new-file.ts";
import { makeFolder, readIfThere } from "../../platform/disk/own-files.ts";
import { isErrno } from "../../platform/fs/session-fs.ts";

const BYTES = 32;
const SHORTEST = 24;

export function hubSecret(folder: string, given: string | undefined): string {
  if (given !== undefined) return checked(given, "RETHREAD_HUB_SECRET");
  makeHubFolder(folder);
  const path = secretPath(folder);
  const kept = readIfThere(path);
  if (kept) return checked(kept.toString("utf8").trim(), path);
  const file = createNewFile(path, { replace: false, mode: 0o600 });
  file.write(`${randomBytes(BYTES).toString("base64url")}\n`);
  try {
    file.finish();
  } catch (error) {
    // Another process was faster, and its secret is the one.
    if (!isErrno(error, "EEXIST")) throw error;
  }
  return hubSecret(folder, undefined);
}

/** Others may pass through, as the user that PostgreSQL runs as must; what lies there is closed to them itself. */
export function makeHubFolder(folder: string): void {
  makeFolder(dirname(folder));
  makeFolder(folder, 0o711);
}

export const secretPath = (folder: string): string => join(folder, "secret");

function checked(secret: string, where: string): string {
  if (secret.length >= SHORTEST) return secret;
  throw new AppError(
    "config-invalid",
    `The hub's secret in ${where} has fewer than ${SHORTEST} characters`,
    "Make one with `openssl rand -base64 32`",
  );
}
