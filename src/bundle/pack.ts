/** Writes a bundle: the manifest, then everything that it lists, in order. */
import { createHash } from "node:crypto";
import {
  type BundledFile,
  type BundleManifest,
  type BundlePart,
  LARGEST_MANIFEST,
  MANIFEST_NAME,
  nameInBundle,
} from "../model/bundle.ts";
import { AppError } from "../model/errors.ts";
import { END, paddingOf, toHeader } from "./tar.ts";

/** Gives the bytes of a file, as many as the manifest says. */
export type ContentOf = (part: BundlePart, file: BundledFile) => AsyncIterable<Uint8Array>;

export async function* pack(manifest: BundleManifest, contentOf: ContentOf): AsyncGenerator<Uint8Array> {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  if (text.length > LARGEST_MANIFEST) throw tooMany(manifest);
  const { parseManifest } = await import("./manifest.ts");
  parseManifest(text.toString("utf8")); // what we could not open again must not be written
  const mtimeMs = Date.parse(manifest.madeAt);
  yield toHeader({ name: MANIFEST_NAME, kind: "file", size: text.length, mode: 0o600, mtimeMs });
  yield text;
  yield Buffer.alloc(paddingOf(text.length));
  for (const part of manifest.parts)
    for (const entry of part.entries) {
      const size = entry.kind === "file" ? entry.size : 0;
      yield toHeader({ ...entry, name: nameInBundle(part, entry), size });
      if (entry.kind === "file") yield* proven(entry, contentOf(part, entry));
      yield Buffer.alloc(paddingOf(size));
    }
  yield END;
}

/** It could not be opened again. */
const tooMany = ({ parts }: BundleManifest): AppError =>
  new AppError(
    "not-supported",
    `${parts.reduce((sum, { entries }) => sum + entries.length, 0)} files and folders are more than one archive can hold`,
    "Export fewer sessions at once, or migrate the home to a folder",
  );

/** It was hashed before it is packed, and may have changed in between. */
async function* proven(file: BundledFile, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const sum = createHash("sha256");
  for await (const chunk of bytes) {
    sum.update(chunk);
    yield chunk;
  }
  if (sum.digest("hex") !== file.sha256)
    throw new AppError(
      "session-changed",
      `${file.path} changed while it was packed, so no bundle was written`,
      "Run the command again",
    );
}
