/** Tells a log that grew from one that was written anew: a hash of the last bytes before the place where reading stopped. */
import { hash } from "node:crypto";
import type { Artifact } from "../model/session.ts";
import type { SessionFs } from "../platform/session-fs.ts";
import type { Bookmark } from "./source.ts";

/** Enough to hold the end of some record with its id; little enough to read again for every turn. */
const GUARDED = 2048;

export async function guardOf(fs: SessionFs, path: string, offset: number): Promise<string> {
  return hash("sha1", await fs.read(path, { start: Math.max(0, offset - GUARDED), end: offset }));
}

/** False as well for a file that cannot be read: whoever reads it from the beginning will say why. */
export async function isUntouched(
  fs: SessionFs,
  { path, fingerprint }: Artifact,
  bookmark: Bookmark,
): Promise<boolean> {
  if (fingerprint.size < bookmark.offset) return false;
  try {
    return (await guardOf(fs, path, bookmark.offset)) === bookmark.guard;
  } catch {
    return false;
  }
}
