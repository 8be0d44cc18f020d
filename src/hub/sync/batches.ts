/** Packs what is sent of a session into requests of a bounded size. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { PushedFile, PushedPiece } from "../protocol.ts";
import { cutPieces } from "./pieces.ts";
import { digestOf } from "./prefix-hash.ts";
import type { FilePlan } from "./push-plan.ts";

export interface Batch {
  readonly files: readonly PushedFile[];
  readonly bodies: readonly Uint8Array[];
}

/**
 * Small enough to arrive in time over a slow line, with several on the way at once, and to pass proxies that take a
 * megabyte; far below what the hub takes.
 */
export const MOST_BYTES = 768 << 10;
const MOST_PIECES = 1000;
const MOST_FILES = 500;

const compressed = promisify(zstdCompress);

export const compress = (bytes: Uint8Array): Promise<Uint8Array> =>
  compressed(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 6 } });

export async function* packBatches(
  fs: Pick<SessionFs, "read">,
  plans: readonly FilePlan[],
): AsyncGenerator<Batch> {
  let files: PushedFile[] = [];
  let bodies: Uint8Array[] = [];
  let bytes = 0;
  const take = (): Batch => {
    const batch = { files, bodies };
    [files, bodies, bytes] = [[], [], 0];
    return batch;
  };
  for (const { file, generation, start, first } of plans) {
    if (files.length >= MOST_FILES) yield take();
    const hash = file.hash.at(start) ?? createHash("sha256");
    const { path, mode, mtimeMs, manner, copy } = file;
    let size = start;
    let pieces: PushedPiece[] = [];
    const put = (isMore: boolean): void => {
      const look = { path, generation, mode, mtimeMs, size, sha256: digestOf(hash), pieces };
      files.push(isMore ? { ...look, more: true } : look);
      pieces = [];
    };
    const range = { start, end: file.size, ...(first !== undefined && { first }) };
    for await (const piece of cutPieces(fs, copy, range)) {
      const body = await compress(piece.bytes);
      if (bytes + body.length > MOST_BYTES || bodies.length >= MOST_PIECES) {
        if (pieces.length > 0) put(true);
        yield take();
      }
      hash.update(piece.bytes);
      size += piece.bytes.length;
      bytes += body.length;
      bodies.push(body);
      pieces.push({
        start: piece.start,
        bytes: piece.bytes.length,
        events: manner === "jsonl" ? piece.lines : 0,
        sha256: createHash("sha256").update(piece.bytes).digest("hex"),
      });
    }
    put(false);
  }
  if (files.length > 0) yield take();
}
