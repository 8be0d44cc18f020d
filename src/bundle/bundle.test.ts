/** What goes into a bundle comes out of it; and whatever else somebody calls a bundle is refused. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BundledEntry, BundledFile, BundleManifest } from "../model/bundle.ts";
import { localFs } from "../platform/fs/local.ts";
import { gzip } from "./gzip.ts";
import { openBundle } from "./open.ts";
import { pack } from "./pack.ts";
import { BLOCK, toHeader } from "./tar.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-bundle-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const LONG = `files/${"long-".repeat(30)}ä.txt`;
const CONTENT: Record<string, string> = {
  "events.jsonl": '{"type":"session.start"}\n'.repeat(100),
  "files/empty": "",
  [LONG]: "x".repeat(BLOCK),
};
const at = { mode: 0o600, mtimeMs: 1_700_000_000_123 };
const file = (path: string): BundledFile => ({
  kind: "file",
  path,
  ...at,
  size: Buffer.byteLength(CONTENT[path] ?? ""),
  sha256: createHash("sha256")
    .update(CONTENT[path] ?? "")
    .digest("hex"),
});
const ENTRIES: BundledEntry[] = [
  file("events.jsonl"),
  { kind: "folder", path: "files", ...at, mode: 0o700 },
  file("files/empty"),
  file(LONG),
];
const manifestOf = (entries: readonly BundledEntry[], more: object = {}): BundleManifest => ({
  format: "rethread-bundle",
  version: 1,
  kind: "sessions",
  madeAt: "2026-11-15T12:00:00.000Z",
  madeBy: "rethread 0.0.0",
  parts: [{ source: "copilot-cli", id: "one", folder: "copilot-cli/one", entries }],
  ...more,
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
async function packed(manifest: BundleManifest): Promise<Buffer> {
  const tar = pack(manifest, (_, { path }) => bytesOf(CONTENT[path] ?? ""));
  const parts: Buffer[] = [];
  for await (const chunk of gzip(tar)) parts.push(chunk);
  return Buffer.concat(parts);
}
const write = (bytes: Uint8Array, name = "it.tar.gz"): string => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
const scratch = () => {
  const path = join(folder, "unpacked");
  writeFileSync(path, "");
  return { path, write: (bytes: Uint8Array) => writeFileSync(path, bytes, { flag: "a" }) };
};
const failure = (path: string): Promise<string> =>
  openBundle(localFs, path, scratch()).then(
    () => "none",
    (error) => error.code ?? String(error),
  );

describe("a bundle", () => {
  it("gives back what was put into it, packed or not", async () => {
    const manifest = manifestOf(ENTRIES);
    const path = write(await packed(manifest));
    const plain = write(gunzipSync(readFileSync(path)), "it.tar");
    for (const each of [path, plain]) {
      const bundle = await openBundle(localFs, each, scratch());
      expect(bundle.manifest).toEqual(manifest);
      const [part] = bundle.manifest.parts;
      for (const entry of part?.entries ?? []) {
        if (entry.kind !== "file" || !part) continue;
        const piece = bundle.pieceOf(part, entry);
        if (!("file" in piece)) throw new Error("a bundle's files are ranges");
        const text = readFileSync(piece.file).toString("utf8", piece.start, piece.end);
        expect(text).toBe(CONTENT[entry.path]);
      }
    }
  });

  it("is opened by any tar, with names, modes and times", async () => {
    const path = write(await packed(manifestOf(ENTRIES)));
    expect(spawnSync("tar", ["-xzf", path, "-C", folder]).status).toBe(0);
    for (const [name, text] of Object.entries(CONTENT))
      expect(readFileSync(join(folder, "copilot-cli/one", name), "utf8")).toBe(text);
    const { mode, mtimeMs } = statSync(join(folder, "copilot-cli/one/events.jsonl"));
    expect([mode & 0o777, mtimeMs]).toEqual([0o600, 1_700_000_000_000]);
  });

  it("refuses what changed while it was packed", async () => {
    const other = { ...file("events.jsonl"), sha256: "0".repeat(64) };
    await expect(packed(manifestOf([other]))).rejects.toMatchObject({ code: "session-changed" });
  });
});

describe("what only looks like a bundle", () => {
  const EVIL: Record<string, [string, BundledEntry[], object?]> = {
    "a name that climbs out": ["bundle-unsafe", [{ ...file("events.jsonl"), path: "../x" }]],
    "a name inside that climbs out": ["bundle-unsafe", [{ ...file("events.jsonl"), path: "files/../../x" }]],
    "an absolute name": ["bundle-unsafe", [{ ...file("events.jsonl"), path: "/etc/x" }]],
    "a name of another system": ["bundle-unsafe", [{ ...file("events.jsonl"), path: "C:\\x" }]],
    "a name with a NUL": ["bundle-unsafe", [{ ...file("events.jsonl"), path: "a\0b" }]],
    "the same name twice": ["bundle-unsafe", [file("events.jsonl"), file("events.jsonl")]],
    "a file in a file": [
      "bundle-damaged",
      [file("events.jsonl"), { ...file("events.jsonl"), path: "events.jsonl/x" }],
    ],
    "an id that is a path": [
      "bundle-unsafe",
      [],
      { parts: [{ source: "copilot-cli", id: "../x", folder: "copilot-cli/x", entries: [] }] },
    ],
    "a link in the manifest": [
      "bundle-unsafe",
      [{ ...file("events.jsonl"), kind: "link" } as unknown as BundledEntry],
    ],
    "a later version": ["bundle-newer", ENTRIES, { version: 2 }],
    "another format": ["bundle-damaged", ENTRIES, { format: "zip" }],
  };
  it.each(Object.entries(EVIL))("is refused: %s", async (_, [code, entries, more]) => {
    const manifest = manifestOf(entries, more);
    const tar = [toHeader({ name: "manifest.json", kind: "file", ...sized(manifest), ...at })];
    tar.push(Buffer.from(JSON.stringify(manifest)), padding(sized(manifest).size), Buffer.alloc(1024));
    expect(await failure(write(Buffer.concat(tar)))).toBe(code);
  });

  it("is refused: a tar that holds other things than its manifest says", async () => {
    const tar = gunzipSync(await packed(manifestOf(ENTRIES)));
    const first = tar.indexOf("copilot-cli/one/events.jsonl");
    const changed = (change: (copy: Buffer) => void): Buffer => {
      const copy = Buffer.from(tar);
      change(copy);
      return copy;
    };
    const link = changed((copy) => relabel(copy, first, (header) => header.write("2", 156)));
    const renamed = changed((copy) => relabel(copy, first, (header) => header.write("../../evil\0", 0)));
    const bytes = changed((copy) => copy.write("X", first + BLOCK + 3));
    expect(await failure(write(link))).toBe("bundle-unsafe");
    expect(await failure(write(renamed))).toBe("bundle-damaged");
    expect(await failure(write(bytes))).toBe("bundle-damaged");
    expect(
      await failure(write(gzipSync(Buffer.concat([tar.subarray(0, -1024), tar.subarray(0, 512)])))),
    ).toBe("bundle-damaged");
  });

  it("is refused before it fills the disk: more in it than its manifest says", async () => {
    const tar = gunzipSync(await packed(manifestOf(ENTRIES)));
    // A long way of nothing after the end, which compresses to almost nothing.
    const bomb = gzipSync(Buffer.concat([tar, Buffer.alloc(8 << 20)]));
    expect(bomb.length).toBeLessThan(64 << 10);
    expect(await failure(write(bomb))).toBe("bundle-unsafe");
    expect(statSync(join(folder, "unpacked")).size).toBeLessThan(3 << 20);
  });

  it("is refused: somebody else's archive, a text, nothing at all", async () => {
    expect(await failure(write(gzipSync("hello")))).toBe("bundle-unknown");
    expect(await failure(write(Buffer.from("hello")))).toBe("bundle-unknown");
    expect(await failure(write(Buffer.alloc(0)))).toBe("bundle-unknown");
    writeFileSync(join(folder, "x.txt"), "x");
    spawnSync("tar", ["-czf", join(folder, "other.tar.gz"), "-C", folder, "x.txt"]);
    expect(await failure(join(folder, "other.tar.gz"))).toBe("bundle-unknown");
  });

  it("is refused with a code, however it is damaged", async () => {
    const whole = await packed(manifestOf(ENTRIES));
    const tar = gunzipSync(whole);
    const damage = fc.record({
      of: fc.constantFrom(whole, tar),
      cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      flips: fc.array(
        fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 255 })),
        {
          maxLength: 4,
        },
      ),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ of, cut, flips }) => {
        const bytes = Buffer.from(of).subarray(0, cut === null ? of.length : Math.floor(cut * of.length));
        for (const [where, by] of flips) {
          const place = Math.floor(where * (bytes.length - 1));
          if (bytes.length > 0) bytes[place] = (bytes[place] ?? 0) ^ by;
        }
        const code = await failure(write(bytes, "fuzzed"));
        expect(["none", "bundle-damaged", "bundle-unknown", "bundle-unsafe", "bundle-newer"]).toContain(code);
      }),
      { numRuns: 300 },
    );
  });
});

const sized = (manifest: BundleManifest) => ({ size: Buffer.byteLength(JSON.stringify(manifest)) });
const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** Changes a header and makes its checksum right again. */
function relabel(tar: Buffer, start: number, change: (header: Buffer) => void): void {
  const header = tar.subarray(start, start + BLOCK);
  change(header);
  header.fill(0x20, 148, 156);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
}
