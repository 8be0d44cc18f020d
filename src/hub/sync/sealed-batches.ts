/**
 * The same for a session that the hub is not to read. Encrypted bytes cannot be continued, so what is new of a file becomes
 * a sealed file of its own; a file that was rewritten is sealed anew, and its old parts are removed.
 */
import { createHash, randomUUID } from "node:crypto";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { SealedRecord } from "../../store/state/sync.ts";
import type { FileState, PushedFile, PushedPiece, SessionFacts } from "../protocol.ts";
import { type Batch, compress, MOST_BYTES } from "./batches.ts";
import { cutPieces } from "./pieces.ts";
import { digestOf } from "./prefix-hash.ts";
import type { RedactedFile } from "./redacted-files.ts";
import { SEALED_FOLDER, type Seal, type SealedHead } from "./seal.ts";

export interface SealedPlan {
  readonly parts: readonly { readonly file: RedactedFile; readonly start: number }[];
  /** Of sealed files that stay. */
  readonly kept: readonly SealedRecord[];
  readonly removed: readonly string[];
}

/** What the hub has is believed only as far as our records name each sealed file with the hash that the hub has of it. */
export function planSealed(
  files: readonly RedactedFile[],
  states: readonly FileState[],
  known: readonly SealedRecord[],
): SealedPlan {
  const there = new Map(states.filter(({ removed }) => !removed).map((state) => [state.path, state]));
  const parts: { file: RedactedFile; start: number }[] = [];
  const kept: SealedRecord[] = [];
  for (const file of files) {
    const own = known.filter(({ path }) => path === file.path).sort((a, b) => a.size - b.size);
    const isWhole =
      own.length > 0 &&
      own.every(
        ({ stored, size, sha256 }) => there.has(stored) && file.hash.at(size)?.digest("hex") === sha256,
      );
    const start = isWhole ? (own.at(-1)?.size ?? 0) : 0;
    if (isWhole) kept.push(...own);
    if (!isWhole || start < file.size) parts.push({ file, start });
  }
  const staying = new Set(kept.map(({ stored }) => stored));
  return { parts, kept, removed: [...there.keys()].filter((path) => !staying.has(path)) };
}

export interface SealedBatch extends Batch {
  /** Holds once the batch is acknowledged. */
  readonly records: readonly SealedRecord[];
}

/** So that a piece with its head and its seal has room in a request that is half full. */
const LARGEST_PLAIN = 1 << 18;

export async function* sealBatches(
  fs: Pick<SessionFs, "read">,
  { parts }: SealedPlan,
  seal: Seal,
  facts: SessionFacts,
): AsyncGenerator<SealedBatch> {
  let files: PushedFile[] = [];
  let bodies: Uint8Array[] = [];
  let records: SealedRecord[] = [];
  let bytes = 0;
  const take = (): SealedBatch => {
    const batch = { files, bodies, records };
    [files, bodies, records, bytes] = [[], [], [], 0];
    return batch;
  };
  for (const part of parts) {
    const { file } = part;
    const plain = file.hash.at(part.start) ?? createHash("sha256");
    let at = part.start;
    do {
      // As much of the file as fits into a request is one sealed file.
      const head: SealedHead = { ...pick(file), start: at, facts };
      const sent = createHash("sha256");
      const pieces: PushedPiece[] = [];
      let size = 0;
      let before: Uint8Array = Buffer.from(`${JSON.stringify(head)}\n`);
      const add = async (content: Uint8Array, lines: number): Promise<void> => {
        const body = await seal.close(await compress(Buffer.concat([before, content])));
        before = new Uint8Array();
        sent.update(body);
        pieces.push({
          ...{ start: size, bytes: body.length, events: file.manner === "jsonl" ? lines : 0 },
          sha256: createHash("sha256").update(body).digest("hex"),
        });
        size += body.length;
        bytes += body.length;
        bodies.push(body);
      };
      if (bytes > MOST_BYTES / 2) yield take();
      const range = { start: at, end: file.size, first: LARGEST_PLAIN };
      for await (const piece of halved(cutPieces(fs, file.copy, range))) {
        if (bytes + piece.bytes.length > MOST_BYTES) break;
        plain.update(piece.bytes);
        at += piece.bytes.length;
        await add(piece.bytes, piece.lines);
      }
      if (pieces.length === 0) await add(new Uint8Array(), 0);
      const stored = `${SEALED_FOLDER}/${randomUUID()}`;
      files.push({
        ...{ path: stored, generation: 0, mode: 0o600, mtimeMs: 0 },
        ...{ size, sha256: sent.digest("hex"), pieces },
      });
      records.push({ stored, path: file.path, size: at, sha256: digestOf(plain) });
    } while (at < file.size);
  }
  if (files.length > 0) yield take();
}

const pick = ({ path, mode, mtimeMs }: RedactedFile) => ({ path, mode, mtimeMs });

/** Pieces that leave room for their head and seal. */
async function* halved(
  pieces: AsyncIterable<{ readonly bytes: Uint8Array; readonly lines: number }>,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly lines: number }> {
  for await (const { bytes, lines } of pieces) {
    if (bytes.length <= LARGEST_PLAIN) yield { bytes, lines };
    else
      for (let at = 0; at < bytes.length; at += LARGEST_PLAIN) {
        const isLast = at + LARGEST_PLAIN >= bytes.length;
        yield { bytes: bytes.subarray(at, at + LARGEST_PLAIN), lines: isLast ? lines : 0 };
      }
  }
}
