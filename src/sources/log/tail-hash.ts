/**
 * Distinguishes a log that grew from one that was rewritten, by a hash of its start and of the last bytes before the
 * bookmark.
 */
import { hash } from "node:crypto";
import type { Artifact } from "../../model/session/session.ts";
import type { ByteRange, SessionFs } from "../../platform/fs/session-fs.ts";
import type { Bookmark } from "../source.ts";

/**
 * Enough to hold the first prompt, and the ends of some records with their ids; little enough to read again for every
 * turn. An edit in between that keeps every byte after it in its place, made along with an addition, is not noticed.
 */
const GUARDED = { first: 1024, last: 3072 };

export async function hashTail(fs: SessionFs, path: string, offset: number): Promise<string> {
  const start = Math.max(0, offset - GUARDED.last);
  const last = await fs.read(path, { start, end: offset });
  const first =
    start > 0 ? await fs.read(path, { start: 0, end: Math.min(start, GUARDED.first) }) : undefined;
  return digestOf(last, first);
}

/** At once: there is one for every session, and a digest that is fed takes longer to make than to feed. */
const digestOf = (last: Uint8Array, first: Uint8Array | undefined): string =>
  hash("sha1", first ? Buffer.concat([last, first]) : last);

export interface NotedTail {
  /** The same files; what passes of the log is noted. */
  readonly fs: SessionFs;
  /** As `hashTail`; nothing is read again where the log was read from its beginning to there. */
  hash(offset: number): Promise<string>;
}

/** For readers, which have all of a log pass by anyway: opening it twice more takes longer than a short one's lines. */
export function noteTail(fs: SessionFs, path: string): NotedTail {
  let [first, last]: [Buffer, Buffer] = [NOTHING, NOTHING];
  let end: number | undefined;
  async function* chunks(of: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const isWhole = of === path && (range?.start ?? 0) === 0 && range?.end === undefined;
    if (!isWhole) {
      yield* fs.chunks(of, range);
      return;
    }
    [first, last, end] = [NOTHING, NOTHING, undefined];
    let size = 0;
    for await (const chunk of fs.chunks(of, range)) {
      if (first.length < GUARDED.first)
        first = Buffer.concat([first, chunk.subarray(0, GUARDED.first - first.length)]);
      last = Buffer.concat([last, chunk.subarray(-GUARDED.last)]).subarray(-GUARDED.last);
      size += chunk.length;
      yield chunk;
    }
    end = size;
  }
  return {
    fs: { ...fs, chunks },
    async hash(offset) {
      if (offset !== end) return hashTail(fs, path, offset);
      const start = Math.max(0, offset - GUARDED.last);
      return digestOf(last, start > 0 ? first.subarray(0, Math.min(start, GUARDED.first)) : undefined);
    },
  };
}
const NOTHING = Buffer.alloc(0);

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
