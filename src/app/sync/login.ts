/** Which hub this machine syncs with: kept in a file that only its owner reads, and overruled by variables. */

import { join } from "node:path";
import { type HubAccess, hubKey, toHubAddress } from "../../hub/sync/address.ts";
import { AppError } from "../../model/errors.ts";
import { shellLine } from "../../model/text/shell-words.ts";
import { createNewFile } from "../../platform/disk/new-file.ts";
import { makeFolder, readIfThere, removeFile } from "../../platform/disk/own-files.ts";
import type { AppConfig } from "../config.ts";

export interface Login extends HubAccess {
  /** By which our records know it. */
  readonly key: string;
  readonly from: "file" | "variable";
}

interface KeptLogin {
  readonly url?: string;
  readonly token?: string;
  readonly isInsecure?: boolean;
}

const loginPath = (folder: string): string => join(folder, "hub.json");
export const identityPath = (folder: string): string => join(folder, "hub-identity.txt");

export function findLogin(folder: string, { hub }: Pick<AppConfig, "hub">): Login | undefined {
  const kept = readKept(folder);
  const named = hub.url ?? kept.url;
  if (named === undefined) return undefined;
  const isKept = hub.url === undefined;
  const url = toHubAddress(named, { isInsecure: isKept && kept.isInsecure === true });
  // The token that was kept is for the hub that it was kept with.
  const token = hub.token ?? (url === kept.url ? kept.token : undefined);
  if (token === undefined)
    throw new AppError(
      "hub-not-set",
      `No token for ${url} is known on this machine`,
      `Log in: ${shellLine`rethread hub login ${url}`}`,
    );
  const access = { url, token: token.trim() };
  const isFromFile = isKept && hub.token === undefined;
  return { ...access, key: hubKey(access), from: isFromFile ? "file" : "variable" };
}

/** The token of the account on the hub, for what asks its database and not its API. */
export const findToken = (folder: string, { hub }: Pick<AppConfig, "hub">): string | undefined =>
  (hub.token ?? readKept(folder).token)?.trim();

export function requireLogin(folder: string, config: Pick<AppConfig, "hub">): Login {
  const found = findLogin(folder, config);
  if (found) return found;
  throw new AppError(
    "hub-not-set",
    "No hub is known on this machine",
    "Log in to one: rethread hub login https://hub.example.com",
  );
}

export function keepLogin(folder: string, { url, token }: HubAccess, isInsecure: boolean): void {
  writeOwn(
    loginPath(folder),
    folder,
    `${JSON.stringify({ url, token, ...(isInsecure && { isInsecure }) })}\n`,
  );
}

/** False where nobody was logged in. */
export function forgetLogin(folder: string): boolean {
  const isThere = readIfThere(loginPath(folder)) !== undefined;
  removeFile(loginPath(folder));
  return isThere;
}

export const readIdentity = (folder: string): string | undefined =>
  readIfThere(identityPath(folder))
    ?.toString("utf8")
    .split("\n")
    .find((line) => line.startsWith("AGE-SECRET-KEY-"))
    ?.trim();

export function keepIdentity(folder: string, identity: string): string {
  const path = identityPath(folder);
  writeOwn(path, folder, `${identity}\n`);
  return path;
}

function readKept(folder: string): KeptLogin {
  const text = readIfThere(loginPath(folder))?.toString("utf8");
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as KeptLogin;
  } catch (error) {
    throw new AppError(
      "config-invalid",
      `${loginPath(folder)} is not valid JSON`,
      "Log in again: rethread hub login <url>",
      error,
    );
  }
}

function writeOwn(path: string, folder: string, text: string): void {
  makeFolder(folder);
  const file = createNewFile(path, { replace: true, mode: 0o600 });
  file.write(text);
  file.finish();
}
