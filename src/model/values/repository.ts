/**
 * The one name of a repository, from any spelling of its address: `owner/name` on github.com, `host/path/name` elsewhere.
 * No part of a user name, password or token in the address is ever in it.
 */
import { memberOf } from "./member.ts";
import { hasDrive, segmentsOf, startsWithSeparator } from "./paths.ts";

export const GITHUB = "github.com";

/** Other names of the same servers: their SSH on the port of HTTPS, and the like. */
const SAME_HOST: Readonly<Record<string, string>> = {
  "www.github.com": GITHUB,
  "ssh.github.com": GITHUB,
  "altssh.gitlab.com": "gitlab.com",
  "altssh.bitbucket.org": "bitbucket.org",
  "ssh.dev.azure.com": "dev.azure.com",
  "vs-ssh.visualstudio.com": "dev.azure.com",
};

interface Address {
  /** Missing where only a name was recorded. */
  readonly host?: string;
  readonly path: string;
}

/** `host` is what the session says of it apart from the name. Nothing for a folder, which names no repository. */
export function toRepositoryName(text: string, host?: string): string | undefined {
  const parsed = parseAddress(text.trim());
  if (!parsed) return undefined;
  const address = parsed.host ?? host;
  const server = toHost(address ?? "");
  const segments = toSegments(parsed.path, server);
  if (segments.length === 0) return undefined;
  // A name as it was recorded, such as one that this function gave.
  if (address === undefined) return segments.join("/");
  if (server === "") return undefined;
  if (server !== GITHUB) return [server, ...segments].join("/");
  return segments.length === 1 ? undefined : segments.slice(0, 2).join("/");
}

function parseAddress(text: string): Address | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text);
  if (scheme) return scheme[1]?.toLowerCase() === "file" ? undefined : parseUrl(text.slice(scheme[0].length));
  if (text === "" || hasDrive(text) || startsWithSeparator(text) || /^[.~]/.test(text)) return undefined;
  // A helper of git's (`ext::…`, `codecommit::…`) names no server that others know.
  if (/^[\w-]+::/.test(text)) return undefined;
  const slash = text.search(/[\\/]/);
  const first = slash < 0 ? text : text.slice(0, slash);
  const rest = text.slice(first.length);
  const place = first.slice(first.lastIndexOf("@") + 1);
  const colon = place.startsWith("[") ? place.indexOf(":", place.indexOf("]")) : place.indexOf(":");
  if (colon >= 0) return { host: place.slice(0, colon), path: place.slice(colon + 1) + rest };
  // `github.com/owner/name`, or a name alone.
  const isHost = place.includes(".") && segmentsOf(rest).filter(Boolean).length > 1;
  return isHost ? { host: place, path: rest } : { path: place + rest };
}

function parseUrl(rest: string): Address | undefined {
  const slash = rest.indexOf("/");
  if (slash < 0) return undefined;
  const authority = rest.slice(0, slash);
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1).replace(/:\d*$/, "");
  // A slash inside a password ends the authority too early, so the server comes after the last @ of all.
  const isTorn = host.includes(":") && !host.startsWith("[");
  if (isTorn) return rest.includes("@", slash) ? parseUrl(rest.slice(rest.lastIndexOf("@") + 1)) : undefined;
  return { host, path: rest.slice(slash).replace(/[?#].*$/s, "") };
}

function toHost(host: string): string {
  const lower = host.toLowerCase().replace(/\.$/, "");
  return memberOf(SAME_HOST, lower) ?? lower;
}

function toSegments(path: string, host: string): string[] {
  const segments = segmentsOf(path).filter((segment) => segment !== "" && segment !== ".");
  const last = segments.pop()?.replace(/\.git$/i, "");
  const named = (last ? [...segments, last] : segments).map(decoded);
  if (host !== "dev.azure.com") return named;
  // Over SSH it is `v3/organization/project/name`, over HTTPS `organization/project/_git/name`.
  return named.filter((segment, at) => segment !== "_git" && !(at === 0 && /^v\d$/.test(segment)));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
