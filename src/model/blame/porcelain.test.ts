import { expect, it } from "vitest";
import { parsePorcelain } from "./porcelain.ts";

const [one, two] = ["1".repeat(40), "2".repeat(40)];
const PRINTED = `${one} 1 1 2
author Ada
author-mail <ada@example.org>
author-time 1762851600
author-tz +0100
summary Begin: all of it
boundary
filename "old \\"n\\303\\244me\\".txt"
	first
${one} 2 2
	\tsecond
${two} 3 3 1
author Bo
author-time nonsense
summary Second
filename new.txt
	author-time of the code
`;

it("tells the lines of a file with their commits, described once", () => {
  const lines = parsePorcelain(PRINTED);
  expect(
    lines.map(({ text, name, commit }) => [text, name, commit.id, commit.author, commit.summary]),
  ).toEqual([
    ["first", 'old "näme".txt', one, "Ada", "Begin: all of it"],
    ["\tsecond", 'old "näme".txt', one, "Ada", "Begin: all of it"],
    ["author-time of the code", "new.txt", two, "Bo", "Second"],
  ]);
  expect(lines.map(({ commit }) => commit.time)).toEqual([
    "2025-11-11T09:00:00.000Z",
    "2025-11-11T09:00:00.000Z",
    "1970-01-01T00:00:00.000Z",
  ]);
});

it("tells nothing where nothing is printed", () => {
  expect(parsePorcelain("")).toEqual([]);
});
