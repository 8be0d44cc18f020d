/** Reads the raw files of a session as the hub sends them: frames, one behind the other. */
import { AppError } from "../../model/errors.ts";
import type { FileState } from "../protocol.ts";
import { readRawHeader } from "./answers.ts";

export interface RawFrame {
  readonly file: FileState & { readonly mode: number; readonly mtimeMs: number };
  readonly pieces: readonly { readonly start: number; readonly bytes: number; readonly body: Uint8Array }[];
}

const LENGTH = 4;
const LARGEST_HEADER = 4 << 20;
const LARGEST_FRAME = 80 << 20;

export async function* readRawFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RawFrame> {
  const input = createInput(bytes);
  try {
    for (;;) {
      const start = await input.take(LENGTH, true);
      if (!start) return;
      const length = start.readUInt32BE();
      if (length > LARGEST_HEADER) throw odd("a header is too long");
      yield await toFrame(await input.need(length), input.need);
    }
  } finally {
    await input.end();
  }
}

async function toFrame(header: Buffer, need: (length: number) => Promise<Buffer>): Promise<RawFrame> {
  const { file, pieces, bodies } = readRawHeader(jsonOf(header)) ?? {};
  const isFit =
    pieces?.length === bodies?.length && (bodies ?? []).reduce((sum, each) => sum + each, 0) <= LARGEST_FRAME;
  if (!isFit || !file || !pieces || !bodies) throw odd("a header is not what it should be");
  const read: { start: number; bytes: number; body: Uint8Array }[] = [];
  for (const [at, piece] of pieces.entries()) read.push({ ...piece, body: await need(bodies[at] ?? 0) });
  return { file, pieces: read };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function createInput(bytes: AsyncIterable<Uint8Array>) {
  const source = bytes[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let size = 0;
  /** Nothing at the very end, where the end may be. */
  const take = async (length: number, mayEnd = false): Promise<Buffer | undefined> => {
    while (size < length) {
      const { done, value } = await source.next();
      if (done && mayEnd && size === 0) return undefined;
      if (done) throw odd("it breaks off");
      held.push(Buffer.from(value));
      size += value.length;
    }
    const all = held.length === 1 && held[0] ? held[0] : Buffer.concat(held);
    held = [all.subarray(length)];
    size -= length;
    return all.subarray(0, length);
  };
  return {
    take,
    /** Whoever stops in the middle wants no more of it. */
    end: async (): Promise<void> => void (await source.return?.()),
    need: async (length: number): Promise<Buffer> => (await take(length)) ?? Buffer.alloc(0),
  };
}

export const odd = (why: string): AppError =>
  new AppError("hub-unreachable", `What the hub sent cannot be used: ${why}`, "Run the command again");
