/** Compresses and decompresses streams. */
import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { damaged } from "./errors.ts";

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

export const gzip = (bytes: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> => through(createGzip(), bytes);

/** Whatever is wrong with it is damage. */
export async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield* through(createGunzip(), bytes);
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith("Z_")) throw error;
    throw damaged((error as Error).message, error);
  }
}

async function* through(transform: Transform, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  // Errors on either side reach the reader of the transform.
  pipeline(Readable.from(copies(bytes), { objectMode: false }), transform, () => undefined);
  for await (const chunk of transform) yield chunk as Buffer;
}

/** A piece of a file is only valid until the next one is asked for, and a stream asks ahead. */
async function* copies(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) yield Buffer.from(chunk);
}
