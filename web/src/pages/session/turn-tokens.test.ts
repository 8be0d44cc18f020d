import { expect, it } from "vitest";
import { tokensOf, tokensText } from "./turn-tokens.ts";
import type { OutlineTurn } from "./types.ts";

const turn = (index: number): OutlineTurn => ({
  index,
  prompt: "",
  startedAt: null,
  endedAt: null,
  bytes: null,
  estimatedTokens: 6_150,
  toolCalls: 0,
  failedCalls: 0,
  filesChanged: 0,
  hasCheckpoint: false,
});

it("says which tokens are counted and which are estimated", () => {
  const counted = new Map([
    [0, 5_940],
    [1, 0],
  ]);
  expect([turn(0), turn(1), turn(2)].map((each) => tokensText(tokensOf(each, counted)))).toEqual([
    "5.9k tokens",
    // What a summary has replaced is not counted any more.
    "≈ 6.2k tokens",
    "≈ 6.2k tokens",
  ]);
  expect(tokensText(tokensOf(turn(0), undefined))).toBe("≈ 6.2k tokens");
  expect(tokensText({ tokens: 1, isCounted: true })).toBe("1 token");
});
