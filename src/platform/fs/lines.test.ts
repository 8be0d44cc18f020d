import fc from "fast-check";
import { expect, it } from "vitest";
import { eachLine, type Line, type LineOptions } from "./lines.ts";
import type { SessionFs } from "./session-fs.ts";

/** A file system that hands out the bytes in pieces of the given sizes, in one buffer that it reuses. */
function inPieces(content: Buffer, sizes: readonly number[]): SessionFs {
  return {
    async *chunks(_path: string, range?: { start: number; end?: number }) {
      const bytes = content.subarray(range?.start ?? 0, range?.end);
      const reused = Buffer.alloc(bytes.length);
      let turn = 0;
      for (let at = 0; at < bytes.length; ) {
        const size = sizes.length === 0 ? bytes.length : (sizes[turn++ % sizes.length] as number);
        const got = bytes.copy(reused, 0, at, at + size);
        yield reused.subarray(0, got);
        at += got;
      }
    },
  } as unknown as SessionFs;
}

async function linesOf(
  text: string | Buffer,
  options: Partial<LineOptions> = {},
  sizes: readonly number[] = [],
) {
  const lines: (Omit<Line, "bytes"> & { text: string })[] = [];
  await eachLine(
    inPieces(Buffer.from(text as string), sizes),
    "/log",
    ({ bytes, ...line }) => void lines.push({ ...line, text: bytes.toString() }),
    options,
  );
  return lines;
}

it("numbers lines from 1 and knows their bytes", async () => {
  expect(await linesOf("ab\n\nä\nlast")).toEqual([
    { number: 1, start: 0, end: 2, text: "ab", cut: 0, ended: true },
    { number: 2, start: 3, end: 3, text: "", cut: 0, ended: true },
    { number: 3, start: 4, end: 6, text: "ä", cut: 0, ended: true },
    { number: 4, start: 7, end: 11, text: "last", cut: 0, ended: false },
  ]);
});

it("leaves out a byte order mark at the start of the file, but not elsewhere", async () => {
  expect((await linesOf("\ufeffa\n\ufeffb\n")).map((line) => line.text)).toEqual(["a", "\ufeffb"]);
});

it("goes on from a byte offset, as after an append", async () => {
  expect(await linesOf("ab\ncd\n", { start: 3, number: 2 })).toEqual([
    { number: 2, start: 3, end: 5, text: "cd", cut: 0, ended: true },
  ]);
});

it("passes over what nobody wants, however the bytes arrive, and counts it all the same", async () => {
  for (const size of [1, 3, 1000]) {
    const lines = await linesOf("no\na\nno\nno\nb\n", { pass: isNo }, [size]);
    const wanted = lines.filter(({ text }) => text !== "no");
    expect(wanted.map(({ number, start, text }) => ({ number, start, text }))).toEqual([
      { number: 2, start: 3, text: "a" },
      { number: 5, start: 11, text: "b" },
    ]);
  }
  expect((await linesOf("no\na\nno\n", { pass: isNo })).map(({ text }) => text)).toEqual(["a"]);
});

const isNo = (bytes: Buffer, start: number, end: number): boolean =>
  bytes.toString("utf8", start, end) === "no";

it("tells where it ended, and whether that is the end of a line", async () => {
  const end = (text: string, options?: Partial<LineOptions>) =>
    eachLine(inPieces(Buffer.from(text), [2]), "/log", () => undefined, options);
  expect(await end("")).toEqual({ offset: 0, lines: 0, ended: true });
  expect(await end("ab\ncd\n")).toEqual({ offset: 6, lines: 2, ended: true });
  expect(await end("ab\ncd\nhal")).toEqual({ offset: 6, lines: 2, ended: false });
  expect(await end("no\nno\n", { pass: isNo })).toEqual({ offset: 6, lines: 2, ended: true });
  expect(await end("ab\ncd\n", { start: 3, number: 2 })).toEqual({ offset: 6, lines: 2, ended: true });
});

it("shrinks a line that is longer than the limit and keeps its place in the file", async () => {
  const long = JSON.stringify({ type: "tool", out: "y".repeat(5000), id: 7 });
  const lines = await linesOf(`a\n${long}\nz\n`, { maxLine: 1000, keep: 10 }, [333]);
  expect(lines).toEqual([
    { number: 1, start: 0, end: 1, text: "a", cut: 0, ended: true },
    {
      number: 2,
      start: 2,
      end: 2 + long.length,
      text: JSON.stringify({ type: "tool", out: "y".repeat(10), id: 7 }),
      cut: 4990,
      ended: true,
    },
    { number: 3, start: long.length + 3, end: long.length + 4, text: "z", cut: 0, ended: true },
  ]);
});

it("finds the same lines however the bytes arrive", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc
          .string({ unit: "grapheme", maxLength: 20 })
          .map((s) => s.replaceAll("\n", "·").replaceAll("\ufeff", "·")),
      ),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      async (texts, sizes) => {
        const lines = await linesOf(texts.map((text) => `${text}\n`).join(""), {}, sizes);
        expect(lines.map((line) => line.text)).toEqual(texts);
      },
    ),
    { numRuns: 200 },
  );
});

it("leaves a long line unread when asked to, and still tells its place", async () => {
  const lines = await linesOf(`a\n${"y".repeat(50)}\nz\n`, { maxLine: 10, skipLong: true }, [3]);
  expect(lines).toEqual([
    { number: 1, start: 0, end: 1, text: "a", cut: 0, ended: true },
    { number: 2, start: 2, end: 52, text: "", cut: 50, ended: true },
    { number: 3, start: 53, end: 54, text: "z", cut: 0, ended: true },
  ]);
});
