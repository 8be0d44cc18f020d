/** The on-disk format of a block: a zstd frame, followed by a seal that covers every byte of the frame. */
import { createHash } from "node:crypto";
import { crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Files are cut here, counted from their start, so that a log that grew shares all but its last block. */
export const BLOCK = 1 << 20;

/**
 * The seal is a "skippable frame" of the zstd format, so any zstd program still unpacks the file. Without it some
 * flipped bits would go unnoticed, as zstd ignores several bits of a frame. Blocks of earlier versions have no seal.
 */
const SEAL_HEAD = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]);
const SEAL = SEAL_HEAD.length + 4;

/** No whole block is smaller or larger on disk. An empty frame takes 9 bytes; zstd adds little to what it cannot shrink. */
export const STORED_SIZE = { least: 9, most: BLOCK + (BLOCK >> 7) + 512 } as const;

export const nameOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export function pack(bytes: Uint8Array): Buffer {
  const frame = zstdCompressSync(bytes);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(frame));
  return Buffer.concat([frame, SEAL_HEAD, sum]);
}

interface Flaw {
  readonly why: string;
  readonly cause?: unknown;
}

/** The bytes of the block with this name, or why the stored bytes are not that block. */
export function unpack(name: string, stored: Buffer): Buffer | Flaw {
  const bytes = open(stored);
  if ("why" in bytes || nameOf(bytes) === name) return bytes;
  return { why: "does not have the expected bytes" };
}

/** The bytes of a block whose name is not known; nothing where it is not whole. */
export function unpackAny(stored: Buffer): Buffer | undefined {
  const bytes = open(stored);
  return "why" in bytes ? undefined : bytes;
}

function open(stored: Buffer): Buffer | Flaw {
  const isSealed = stored.length > SEAL && stored.subarray(-SEAL, -4).equals(SEAL_HEAD);
  const frame = isSealed ? stored.subarray(0, -SEAL) : stored;
  if (isSealed && stored.readUInt32LE(stored.length - 4) !== crc32(frame))
    return { why: "does not have the bytes that were written" };
  try {
    const { buffer, engine } = decompress(frame);
    return engine.bytesWritten === frame.length ? buffer : { why: "has data after its end" };
  } catch (error) {
    return { why: "cannot be unpacked", cause: error };
  }
}

/** With `info`, which the types do not know yet, the engine says how many bytes it took. */
const decompress = (frame: Buffer) =>
  zstdDecompressSync(frame, { maxOutputLength: BLOCK, info: true }) as unknown as {
    readonly buffer: Buffer;
    readonly engine: { readonly bytesWritten: number };
  };
