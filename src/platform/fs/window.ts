/** Reads byte ranges of a file, mostly in order, through one stream instead of thousands of buffers. */
import type { SessionFs } from "./session-fs.ts";

export interface Window {
  /** The bytes of a range; only valid until the next call. */
  get(from: number, to: number): Promise<Buffer>;
  close(): Promise<void>;
}

export function openWindow(fs: Pick<SessionFs, "chunks" | "read">, path: string): Window {
  let stream: AsyncIterator<Uint8Array> | undefined;
  let piece: Buffer = Buffer.alloc(0);
  let start = 0;

  const next = async (): Promise<boolean> => {
    stream ??= fs.chunks(path)[Symbol.asyncIterator]();
    const { done, value } = await stream.next();
    start += piece.length;
    piece = done ? Buffer.alloc(0) : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return done !== true;
  };

  return {
    async get(from, to) {
      // What lies behind the stream is read on its own; few rows are out of order.
      if (from < start) return Buffer.from(await fs.read(path, { start: from, end: to }));
      while (start + piece.length <= from) if (!(await next())) return Buffer.alloc(0);
      if (to <= start + piece.length) return piece.subarray(from - start, to - start);
      const parts: Buffer[] = [];
      for (let more = true; more && start < to; more = start + piece.length < to && (await next()))
        parts.push(Buffer.from(piece.subarray(Math.max(0, from - start), to - start)));
      return Buffer.concat(parts);
    },
    async close() {
      await stream?.return?.();
    },
  };
}
