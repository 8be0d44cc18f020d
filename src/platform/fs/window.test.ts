import { expect, it } from "vitest";
import { createMemoryFs } from "./memory.ts";
import type { SessionFs } from "./session-fs.ts";
import { openWindow } from "./window.ts";

/** Gives "0123…" in pieces of four, each overwritten by the next as a disk's are, and counts what is asked for. */
function inPieces(text: string) {
  const memory = createMemoryFs({ "/f": text });
  const asked = { streams: 0, closed: 0, reads: 0 };
  const fs: SessionFs = {
    ...memory,
    async *chunks() {
      asked.streams++;
      try {
        const buffer = Buffer.alloc(4);
        for (let at = 0; at < text.length; at += 4)
          yield buffer.subarray(0, buffer.write(text.slice(at, at + 4), "latin1"));
      } finally {
        asked.closed++;
      }
    },
    read: (path, range) => {
      asked.reads++;
      return memory.read(path, range);
    },
  };
  return { fs, asked };
}

it("gives ranges within a piece, over several, and behind the stream, from one stream", async () => {
  const { fs, asked } = inPieces("0123456789abcdef");
  const window = openWindow(fs, "/f");
  const ranges = [
    [0, 3],
    [2, 5],
    [5, 7],
    [6, 14],
    [1, 3],
    [13, 16],
  ] as const;
  const got: string[] = [];
  for (const [from, to] of ranges) got.push((await window.get(from, to)).toString());
  expect(got).toEqual(["012", "234", "56", "6789abcd", "12", "def"]);
  await window.close();
  expect(asked).toEqual({ streams: 1, closed: 1, reads: 1 });
});

it("gives nothing beyond the end, and closes what it never opened", async () => {
  const window = openWindow(inPieces("0123").fs, "/f");
  expect((await window.get(10, 12)).toString()).toBe("");
  await openWindow(inPieces("").fs, "/f").close();
});
