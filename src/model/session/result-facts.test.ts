import { describe, expect, it } from "vitest";
import { factsOf } from "./result-facts.ts";

describe("what a result tells at a glance", () => {
  it.each([
    ["", 0],
    ["\n \n", 0],
    ["one", 1],
    ["one\n", 1],
    ["one\n\ntwo\n\n", 3],
  ])("%j has %i lines", (text, lines) => {
    expect(factsOf(text)).toEqual({ lines });
  });

  it.each([
    [
      " Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 17 passed (18)\n   Start at  10:00",
      17,
      1,
    ],
    ["Test Suites: 2 passed, 2 total\nTests:       6 passed, 6 total\nTime: 2 s", 6, undefined],
    ["=== 1 failed, 6 passed in 0.12s ===", 6, 1],
    ["test result: FAILED. 6 passed; 1 failed; 0 ignored", 6, 1],
    ["  6 passing (20ms)", 6, undefined],
    ["\x1b[1m Tests \x1b[22m \x1b[31m2 failed\x1b[39m | \x1b[32m5 passed\x1b[39m (7)", 5, 2],
    [`${"1 failed\n"}${"x".repeat(5_000)}`, undefined, undefined],
    ["it failed 3 times and passed", undefined, undefined],
  ])("finds the sums of tests in %j", (text, passed, failed) => {
    const { lines: _, ...tests } = factsOf(text);
    expect(tests).toEqual({
      ...(passed !== undefined && { passed }),
      ...(failed !== undefined && { failed }),
    });
  });
});
