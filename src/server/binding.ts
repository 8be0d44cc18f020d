/** Where the server listens and under which names it answers: this machine alone, or further with TLS. */
import { X509Certificate } from "node:crypto";
import { networkInterfaces } from "node:os";
import { resolve } from "node:path";
import { AppError } from "../model/errors.ts";
import { readIfThere } from "../platform/disk/own-files.ts";
import { LOOPBACK_NAMES, type ServedNames } from "./access.ts";

export interface Binding {
  readonly host: string;
  readonly tls?: { readonly cert: Uint8Array; readonly key: Uint8Array };
  readonly served: ServedNames;
  /** Scheme, host and port, as a browser would open it. */
  baseAt(port: number): string;
  /** As a process of this machine reaches it, whatever names it is known by elsewhere. */
  localBaseAt(port: number): string;
}

const EVERYWHERE = ["0.0.0.0", "::"];
const LOCAL: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

export function toBinding(
  host = "127.0.0.1",
  files: { readonly cert: string; readonly key: string } | undefined,
  folder: string,
  publicUrl?: string,
): Binding {
  const proxied = publicUrl === undefined ? undefined : toPublicUrl(publicUrl);
  if (!files && !proxied && !isLoopback(host))
    throw new AppError(
      "usage",
      `${host} can be reached from other machines, so it needs TLS`,
      "Add --tls-cert and --tls-key, or leave out --host",
    );
  const tls = files && { cert: read(files.cert, folder), key: read(files.key, folder) };
  const certified = tls ? namesOf(tls.cert) : [];
  const own = EVERYWHERE.includes(host) ? addresses() : [host];
  const known = proxied ? [proxied.hostname] : [];
  const names = [...LOOPBACK_NAMES, ...own.map(bracketed), ...certified, ...known];
  const [shown = "127.0.0.1"] = isLoopback(host) ? [host] : [...certified, ...own];
  const scheme = tls ? "https" : "http";
  return {
    host,
    ...(tls && { tls }),
    served: {
      names: new Set(names.map((name) => name.toLowerCase())),
      scheme,
      ...(proxied && { publicOrigin: proxied.origin }),
    },
    localBaseAt: (port) => `${scheme}://${bracketed(LOCAL.get(host) ?? host)}:${port}`,
    baseAt: (port) => proxied?.origin ?? `${scheme}://${bracketed(shown)}:${port}`,
  };
}

/** Under which a proxy that speaks TLS is reached. */
function toPublicUrl(text: string): URL {
  const url = URL.parse(text);
  const isFit =
    url !== null &&
    (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK_NAMES.includes(url.hostname))) &&
    url.href === `${url.origin}/`;
  if (isFit) return url;
  throw new AppError(
    "usage",
    `"${text}" is no address under which others reach this server`,
    "Name scheme and host, and a port if it has one: https://hub.example.com",
  );
}

const isLoopback = (host: string): boolean =>
  /^127(\.\d{1,3}){3}$/.test(host) || ["localhost", "::1"].includes(host.toLowerCase());

/** As an address of version 6 stands in a URL. */
const bracketed = (host: string): string => (host.includes(":") ? `[${host}]` : host);

const addresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));

/** The names that a certificate is for; one with a star stands for no single name. */
function namesOf(cert: Uint8Array): string[] {
  try {
    const { subjectAltName = "" } = new X509Certificate(cert);
    return subjectAltName
      .split(", ")
      .map((entry) => entry.replace(/^(DNS|IP Address):/, ""))
      .filter((name) => name !== "" && !name.includes("*"))
      .map(bracketed);
  } catch (error) {
    throw new AppError(
      "usage",
      "The file of --tls-cert has no certificate",
      "Name a file in PEM form",
      error,
    );
  }
}

function read(path: string, folder: string): Uint8Array {
  const bytes = readIfThere(resolve(folder, path));
  if (bytes) return bytes;
  throw new AppError(
    "usage",
    `${path} does not exist`,
    "Name the file of the certificate, and that of its key",
  );
}
