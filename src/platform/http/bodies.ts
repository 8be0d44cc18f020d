/** Bodies of requests and answers: read whole up to a limit, kept in a file, or sent from one. */
import { createReadStream, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { AppError } from "../../model/errors.ts";
import { createNewFile } from "../disk/new-file.ts";
import { makeTemporaryFolder } from "../disk/temporary.ts";

type Body = ReadableStream<Uint8Array> | null;

export async function readBody(body: Body, mostBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  await takeBody(body, mostBytes, (piece) => pieces.push(piece));
  return Buffer.concat(pieces);
}

/** A new file that only its owner may read. */
export async function saveBody(body: Body, path: string, mostBytes: number): Promise<number> {
  const file = createNewFile(path, { replace: false, mode: 0o600 });
  let bytes = 0;
  try {
    await takeBody(body, mostBytes, (piece) => {
      bytes += piece.length;
      file.write(piece);
    });
  } catch (error) {
    file.discard();
    throw error;
  }
  file.finish();
  return bytes;
}

async function takeBody(body: Body, mostBytes: number, take: (piece: Uint8Array) => void): Promise<void> {
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    take(piece);
  }
}

export const tooLarge = (mostBytes: number): AppError =>
  new AppError("too-large", `The body of a request to this address may have ${mostBytes} bytes`, "Send less");

/** A file as it is sent; `done` is called once it was, or nobody wants it any more. */
export function fileBody(
  path: string,
  done: () => void = () => undefined,
): { readonly bytes: number; readonly stream: ReadableStream<Uint8Array> } {
  const fd = openSync(path, "r");
  const { size } = statSync(path);
  const stream = createReadStream(path, { fd });
  stream.once("close", done);
  return { bytes: size, stream: Readable.toWeb(stream) as ReadableStream<Uint8Array> };
}

/** What is written to a file of that name, which is gone afterwards. */
export async function readBackFile<T>(
  name: string,
  write: (path: string) => Promise<T>,
): Promise<{ readonly answer: T; readonly text: string }> {
  const folder = makeTemporaryFolder();
  try {
    const path = join(folder, name);
    return { answer: await write(path), text: readFileSync(path, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
