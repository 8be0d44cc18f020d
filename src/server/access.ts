/** Who may ask: the host that a request names, the page it comes from, and the token or cookie that it carries. */
import { AppError } from "../model/errors.ts";

export interface ServedNames {
  /** Host names and addresses under which this server is known, in lower case, without ports. */
  readonly names: ReadonlySet<string>;
  readonly scheme: "http" | "https";
  /** Scheme, name and port under which browsers know it, where a proxy stands in between. */
  readonly publicOrigin?: string;
}

export const LOOPBACK_NAMES: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/**
 * A page of another site that lets its own name point to this machine still sends its own name. Ports do not matter for
 * that, and a tunnel changes them.
 */
export function checkHost({ names }: ServedNames, headers: Headers): void {
  const host = headers.get("host") ?? "";
  const name = /^(\[[0-9a-f:.]+\]|[^:[\]@/\s]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
  if (name !== undefined && names.has(name)) return;
  throw new AppError(
    "host-refused",
    "This server does not answer under that name",
    "Use the address that the server printed when it started",
  );
}

/** What a request to the API must have beyond a secret. */
export type Trust = "token" | "cookie" | "none";

/**
 * Browsers say from where a request comes, and pages cannot change that. A page of another origin gets nothing, with
 * whatever secret; what a cookie alone allows must be known to come from our own pages where it changes something.
 */
export function checkOrigin(
  { scheme, publicOrigin }: ServedNames,
  headers: Headers,
  trust: Trust,
  isChange: boolean,
): void {
  const own = `${scheme}://${(headers.get("host") ?? "").toLowerCase()}`;
  const origin = headers.get("origin")?.toLowerCase() ?? null;
  const site = headers.get("sec-fetch-site");
  const isOwnSite = site === "same-origin";
  const isForeign =
    (site !== null && !isOwnSite && site !== "none") ||
    (origin !== null && origin !== own && origin !== publicOrigin && !(origin === "null" && isOwnSite));
  const isUnknown = trust === "cookie" && isChange && !isOwnSite && origin === null;
  if (isForeign || isUnknown)
    throw new AppError(
      "origin-refused",
      "The request comes from a page of another site",
      "Use the pages of rethread itself, or a token from a program",
    );
}

/** Pages and their files may be opened by a link from anywhere, but not be embedded elsewhere. */
export function checkNavigation(headers: Headers): void {
  const site = headers.get("sec-fetch-site");
  const isEmbedded =
    (site === "cross-site" || site === "same-site") &&
    !(headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document");
  if (isEmbedded)
    throw new AppError(
      "origin-refused",
      "Another site tried to embed this page",
      "Open it in a tab of its own",
    );
}

/** The token of `Authorization: Bearer`, where there is such a header. */
export const bearerOf = (headers: Headers): string | undefined =>
  /^bearer +([\w.~+/=-]+) *$/i.exec(headers.get("authorization") ?? "")?.[1];

/** Slashes that are hidden, dots that lead elsewhere and the like mean no address of ours. */
export function checkTarget(target: string): void {
  const path = target.split("?", 1)[0] ?? "";
  const isOdd =
    !path.startsWith("/") ||
    path.startsWith("//") ||
    /%(2f|5c|00|2e)|[\\\p{Cc}]|%(?![0-9a-f]{2})|\/\.{1,2}(\/|$)/iu.test(path);
  if (isOdd) throw new AppError("usage", "The address of the request is not valid", "See /api/openapi.json");
}
