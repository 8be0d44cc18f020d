/** The files of the web app: those that lie there when the server starts, and no others. */

import { extname, join } from "node:path";
import { memberOf } from "../model/values/member.ts";
import { listFiles, readSiteFile } from "../platform/http/site-files.ts";

export interface SiteFile {
  /** Kept, as a build may replace the files of a server that runs. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The bytes are packed as gzip. */
  readonly isPacked: boolean;
  readonly type: string;
  /** Its name has a hash of its content in it. */
  readonly isForever: boolean;
  readonly tag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};

/** By the path of the address. What has no type that we know is left out. */
export function readSite(folder: string): ReadonlyMap<string, SiteFile> {
  const files = new Map<string, SiteFile>();
  const names = new Set(listFiles(folder));
  for (const name of names) {
    const type = memberOf(TYPES, extname(name).toLowerCase());
    if (type === undefined) continue;
    // The build leaves the packed file beside the other, and one of them is enough.
    const isPacked = names.has(`${name}.gz`);
    const { bytes, hash } = readSiteFile(join(folder, isPacked ? `${name}.gz` : name));
    const isForever = /^assets\/.*[-.][\w-]{8,}\.\w+$/.test(name);
    files.set(`/${name}`, { bytes, isPacked, type, isForever, tag: hash });
  }
  return files;
}
