import { expect, it } from "vitest";
import { toLines } from "./program.ts";

async function* inPieces(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}
const collect = async (lines: AsyncIterable<string>): Promise<string[]> => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
};

it("puts lines together, wherever the pieces were cut", async () => {
  const text = "one\n\ntwo two\nrest";
  const lines = ["one", "", "two two", "rest"];
  expect(await collect(toLines(inPieces(text)))).toEqual(lines);
  expect(await collect(toLines(inPieces(...text)))).toEqual(lines);
  expect(await collect(toLines(inPieces("all\n", "")))).toEqual(["all"]);
});

it("cuts a line that is longer than any can be, and goes on with the next", async () => {
  expect(await collect(toLines(inPieces("abc", "def", "ghi\nnext", "\n"), 5))).toEqual(["abcde", "next"]);
});
