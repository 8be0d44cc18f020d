/**
 * Distinguishes a log that grew from one that was rewritten, by a hash of its start and of the last bytes before the
 * bookmark.
 */
import { createHash } from "node:crypto";
import type { Artifact } from "../../model/session/session.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Bookmark } from "../source.ts";

/**
 * Enough to hold the first prompt, and the ends of some records with their ids; little enough to read again for every
 * turn. An edit in between that keeps every byte after it in its place, made along with an addition, is not noticed.
 */
const GUARDED = { first: 1024, last: 3072 };

export async function hashTail(fs: SessionFs, path: string, offset: number): Promise<string> {
  const last = Math.max(0, offset - GUARDED.last);
  const digest = createHash("sha1").update(await fs.read(path, { start: last, end: offset }));
  if (last > 0) digest.update(await fs.read(path, { start: 0, end: Math.min(last, GUARDED.first) }));
  return digest.digest("hex");
}

/** Also false for a file that cannot be read; the full reading reports why. */
export async function isUntouched(
  fs: SessionFs,
  { path, fingerprint }: Artifact,
  bookmark: Bookmark,
): Promise<boolean> {
  if (fingerprint.size < bookmark.offset) return false;
  try {
    return (await hashTail(fs, path, bookmark.offset)) === bookmark.guard;
  } catch {
    return false;
  }
}
