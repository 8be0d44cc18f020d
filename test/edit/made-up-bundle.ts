/** Bundles that no export would write: any manifest at all, with the content that it names as far as that makes sense. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { BLOCK, END, paddingOf, toHeader } from "../../src/bundle/tar.ts";

/** Content by the names of files. */
export type Content = Readonly<Record<string, string>>;

const look = { mode: 0o600, mtimeMs: 1_700_000_000_123 };

export const entryOf = (path: string, text: string) => ({
  kind: "file",
  path,
  ...look,
  size: Buffer.byteLength(text),
  sha256: createHash("sha256").update(text).digest("hex"),
});

export const folderEntry = (path: string) => ({ kind: "folder", path, ...look, mode: 0o700 });

/** A manifest of one session, or of a home, as an export writes it. */
export function manifestOf(content: Content, more: object = {}, part: object = {}) {
  const folders = new Set<string>();
  for (const path of Object.keys(content))
    for (let cut = path.indexOf("/"); cut > 0; cut = path.indexOf("/", cut + 1))
      folders.add(path.slice(0, cut));
  return {
    format: "rethread-bundle",
    version: 1,
    kind: "sessions",
    madeAt: "2026-11-15T12:00:00.000Z",
    madeBy: "test",
    parts: [
      {
        source: "copilot-cli",
        id: "11111111-aaaa-4bbb-8ccc-000000000009",
        title: "Made up",
        folder: "part",
        entries: [
          ...[...folders].sort().map(folderEntry),
          ...Object.entries(content).map(([path, text]) => entryOf(path, text)),
        ],
        ...part,
      },
    ],
    ...more,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What the manifest names comes in its order, so that only the manifest can be to blame. */
export function toBundle(manifest: unknown, content: Content): Buffer {
  const text = Buffer.from(JSON.stringify(manifest) ?? "null");
  const blocks = [
    toHeader({ name: "manifest.json", kind: "file", size: text.length, ...look }),
    ...padded(text),
  ];
  const parts = isObject(manifest) && Array.isArray(manifest.parts) ? manifest.parts : [];
  for (const part of parts.filter(isObject))
    for (const entry of (Array.isArray(part.entries) ? part.entries : []).filter(isObject)) {
      const name = `${part.folder}/${entry.path}`;
      const isFolder = entry.kind === "folder";
      const bytes = Buffer.from(isFolder ? "" : (content[String(entry.path)] ?? ""));
      blocks.push(
        toHeader({ name, kind: isFolder ? "folder" : "file", size: bytes.length, ...look }),
        ...padded(bytes),
      );
    }
  return gzipSync(Buffer.concat([...blocks, END]), { level: 1 });
}

const padded = (bytes: Buffer): Buffer[] => [bytes, Buffer.alloc(paddingOf(bytes.length) % BLOCK)];
