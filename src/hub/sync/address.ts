/** Where a hub is, and who asks it: its address and token, checked before anything is sent there. */
import { AppError } from "../../model/errors.ts";
import { findCredentials } from "../database/credentials.ts";

export interface HubAccess {
  /** Scheme, host and port, and a path where a proxy serves it below one; without a slash at the end. */
  readonly url: string;
  readonly token: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Refuses an address at which the token and the sessions could be read on the way. */
export function toHubAddress(text: string, { isInsecure = false } = {}): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? URL.parse(text) : assumed(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new AppError("usage", `"${text}" is no address of a hub`, "For example: https://hub.example.com");
  if (url.username !== "" || url.password !== "")
    throw new AppError(
      "usage",
      "The address of a hub holds no name or password",
      "Leave them out; the token is asked for",
    );
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname) && !isInsecure)
    throw new AppError(
      "usage",
      `Over http, others on the way to ${url.host} could read your token and sessions`,
      "Use https, or add --insecure if you trust that network",
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** A hub on this machine speaks http unless it has a certificate, and then its address is printed with https. */
function assumed(text: string): URL | null {
  const url = URL.parse(`https://${text}`);
  return url && LOOPBACK.test(url.hostname) ? URL.parse(`http://${text}`) : url;
}

/** By which our records know a hub: another account there is another hub. */
export function hubKey({ url, token }: HubAccess): string {
  const who = findCredentials(token.trim());
  if (who) return `${url}#${who.account}`;
  throw new AppError(
    "not-signed-in",
    "That is no token of a hub",
    "Ask an admin of the hub for one; it begins with rth_",
  );
}
