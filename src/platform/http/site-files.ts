/** Lists and reads the files of a folder that is served. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { gunzipSync } from "node:zlib";
import { isErrno } from "../fs/session-fs.ts";

/** Their paths below it, with slashes; none where there is no such folder. Links are left out. */
export function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .sort();
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

/** Of a file that was packed as gzip. */
export const unpack = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(gunzipSync(bytes));

export function readSiteFile(path: string): {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hash: string;
} {
  // Not in a buffer that others share, which would be kept with it.
  const bytes = new Uint8Array(readFileSync(path));
  return { bytes, hash: createHash("sha256").update(bytes).digest("base64url").slice(0, 22) };
}
