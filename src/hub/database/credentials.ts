/**
 * Tokens of the hub. A token names its account and holds 32 random bytes. The server keeps none: it passes a hash of it
 * to the database (the proof), and the database keeps a hash of that.
 */
import { createHash, randomBytes } from "node:crypto";
import { AppError } from "../../model/errors.ts";

/** What a request is made in the name of. The database checks that the two belong together. */
export interface Credentials {
  readonly account: string;
  readonly proof: string;
}

const PREFIX = "rth";
const TOKEN = /^rth_([0-9a-f]{32})_([A-Za-z0-9_-]{43})$/;

export function newToken(account: string): string {
  return `${PREFIX}_${account.replaceAll("-", "")}_${randomBytes(32).toString("base64url")}`;
}

/** Nothing for what is no token at all. */
export function findCredentials(token: string): Credentials | undefined {
  const hex = TOKEN.exec(token)?.[1];
  if (hex === undefined) return undefined;
  const account = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { account, proof: createHash("sha256").update(`rethread-hub ${token}`).digest("hex") };
}

export function toCredentials(token: string): Credentials {
  const found = findCredentials(token);
  if (found) return found;
  throw new AppError("not-signed-in", "That is no token of a hub", "Ask an admin of the hub for one");
}

/** What the database keeps of a token. */
export const storedHash = ({ proof }: Credentials): Buffer => createHash("sha256").update(proof).digest();
