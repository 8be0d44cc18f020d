/** Opens a bundle from outside: unpacks it to our own folder, and compares every byte with the manifest. */
import { type BundledFile, type BundlePart, nameInBundle } from "../model/bundle.ts";
import { AppError } from "../model/errors.ts";
import type { Piece } from "../model/plan.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import { unknown, unsafe } from "./errors.ts";
import { gunzip, isGzip } from "./gzip.ts";
import { createInspector, type Inspected } from "./inspect.ts";
import { BLOCK, isTar } from "./tar.ts";
import { createTarReader } from "./tar-reader.ts";

type Readable = Pick<SessionFs, "read" | "chunks">;

export interface OpenBundle extends Pick<Inspected, "manifest"> {
  /** Where the bytes of a file are. */
  pieceOf(part: BundlePart, file: BundledFile): Piece;
}

/** Where the unpacked tar is put; nothing of it is kept without one, and it is only proven whole. */
export interface Scratch {
  readonly path: string;
  write(bytes: Uint8Array): void;
}

export async function isBundle(fs: Readable, path: string): Promise<boolean> {
  const beginning = Buffer.from(await fs.read(path, { start: 0, end: BLOCK }));
  return isGzip(beginning) || isTar(beginning);
}

export async function openBundle(fs: Readable, path: string, scratch?: Scratch): Promise<OpenBundle> {
  const beginning = Buffer.from(await fs.read(path, { start: 0, end: BLOCK }));
  const isPacked = isGzip(beginning);
  if (!isPacked && !isTar(beginning)) throw unknown(path);
  // An uncompressed tar can be read in place.
  const { manifest, starts } = isPacked
    ? await inspect(path, gunzip(fs.chunks(path)), scratch)
    : await inspect(path, fs.chunks(path));
  const file = isPacked ? (scratch?.path ?? path) : path;
  return {
    manifest,
    pieceOf(part, entry) {
      const start = starts.get(nameInBundle(part, entry)) ?? 0;
      return { file, start, end: start + entry.size };
    },
  };
}

async function inspect(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  scratch?: Scratch,
): Promise<Inspected> {
  // Loaded with its schemas, which only those need who open a bundle.
  const { parseManifest } = await import("./manifest.ts");
  const inspector = createInspector(parseManifest);
  const reader = createTarReader(inspector);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > inspector.limit()) throw unsafe("it has more than its manifest lists");
      reader.push(chunk);
      scratch?.write(chunk);
    }
    reader.finish();
    return inspector.finish();
  } catch (error) {
    // A file without a manifest is not a bundle: it is another archive, or no archive at all.
    const isOurs = inspector.hasManifest() || !(error instanceof AppError && error.code === "bundle-damaged");
    throw isOurs ? error : unknown(path);
  }
}
