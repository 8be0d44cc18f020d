/** Reads the bytes of one picture out of a log: only the value that holds them is parsed, however large its record. */
import type { ImagePlace, ValuePlace } from "../../model/session/image-ref.ts";
import type { Artifact } from "../../model/session/session.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { createValueFinder } from "../../platform/json/find-value.ts";
import type { ImageReader } from "../source.ts";

/** Base64 takes four bytes for three, numbers in JSON up to five for one. */
const MOST_JSON_PER_BYTE = 5;

/** Nothing where the place holds no picture. `most` is in bytes of the picture. */
export async function readImageBytes(
  fs: SessionFs,
  artifact: Artifact,
  reader: ImageReader,
  place: ImagePlace,
  most: number,
): Promise<Uint8Array | "too-large" | undefined> {
  const found = "asset" in place ? await reader.findAsset?.(fs, artifact, place.asset) : place;
  const path = found?.file ?? artifact.path;
  const span = found && (await findSpan(fs, path, found));
  if (!span) return undefined;
  if (span.end - span.start > most * MOST_JSON_PER_BYTE) return "too-large";
  const bytes = reader.bytesIn(parse(await fs.read(path, span)));
  return bytes && bytes.length > most ? "too-large" : bytes;
}

async function findSpan(
  fs: SessionFs,
  path: string,
  { start, end, at }: ValuePlace,
): Promise<{ start: number; end: number } | undefined> {
  const finder = createValueFinder(at, start);
  for await (const chunk of fs.chunks(path, { start, end }))
    finder.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  return finder.end();
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  } catch {
    return undefined; // the log has changed since the picture was named
  }
}
