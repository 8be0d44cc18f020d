import { expect, it } from "vitest";
import { FIXTURES, scanHome } from "../../../test/contracts/fixtures.ts";
import { eachLine } from "../../platform/fs/lines.ts";
import { localFs } from "../../platform/fs/local.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { SOURCES } from "../registry.ts";
import { hashTail, noteTail } from "./tail-hash.ts";

const PATH = "/log.jsonl";
const bytesOf = (size: number): Buffer =>
  Buffer.from(Array.from({ length: size }, (_, at) => (at * 7919) % 251));

/** Its chunks are small, and what else is read is counted. */
function fsOf(bytes: Uint8Array, chunk: number): { fs: SessionFs; reads: () => number } {
  const fs = createMemoryFs({ [PATH]: bytes });
  let count = 0;
  return {
    reads: () => count,
    fs: {
      ...fs,
      async *chunks(_path, range) {
        const end = Math.min(bytes.length, range?.end ?? bytes.length);
        for (let at = range?.start ?? 0; at < end; at += chunk)
          yield bytes.subarray(at, Math.min(at + chunk, end));
      },
      read(path, range) {
        count++;
        return fs.read(path, range);
      },
    },
  };
}
const pass = async (fs: SessionFs, range = {}): Promise<void> => {
  await eachLine(fs, PATH, () => undefined, range);
};

it("hashes what passed as if it were read again, without reading again", async () => {
  for (const size of [0, 1, 1023, 1024, 1025, 3071, 3072, 3073, 4096, 5000, 9000])
    for (const chunk of [1, 100, 1024, 3000, 3072, 4096, 10_000]) {
      const bytes = bytesOf(size);
      const { fs, reads } = fsOf(bytes, chunk);
      const noted = noteTail(fs, PATH);
      await pass(noted.fs);
      const hash = await noted.hash(size);
      expect(reads()).toBe(0);
      expect(hash, `${size} bytes by ${chunk}`).toBe(await hashTail(fs, PATH, size));
    }
});

it("reads again what did not pass as a whole, or reaches beyond the place", async () => {
  const { fs, reads } = fsOf(bytesOf(9000), 1000);
  const noted = noteTail(fs, PATH);
  const expected = async (offset: number): Promise<void> => {
    const before = reads();
    expect(await noted.hash(offset)).toBe(await hashTail(fs, PATH, offset));
    expect(reads() - before).toBe(4);
  };
  await expected(9000);
  await pass(noted.fs, { start: 10 });
  await expected(9000);
  await pass(noted.fs, { end: 8000 });
  await expected(9000);
  await pass(noted.fs);
  await expected(8000);
});

it.each(["copilot-cli", "claude-code"] as const)("lets %s read a log once, its end included", async (id) => {
  const source = SOURCES.find((one) => one.id === id);
  const again: string[] = [];
  let bookmarks = 0;
  for (const fixture of FIXTURES.filter((one) => one.source === source))
    for (const artifact of (await scanHome(fixture.source, fixture.home)).artifacts) {
      const fs: SessionFs = {
        ...localFs,
        read(path, range) {
          if (path === artifact.path) again.push(path);
          return localFs.read(path, range);
        },
      };
      const sink = { event: () => undefined, problem: () => undefined };
      await source?.read(fs, artifact, sink, { skim: true, onBookmark: () => void bookmarks++ });
    }
  expect(bookmarks).toBeGreaterThan(3);
  expect(again).toEqual([]);
});
