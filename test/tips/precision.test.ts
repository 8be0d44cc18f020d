/** How often tips are right, on labelled cases: those that thresholds were chosen by, and those that were held back. */
import { describe, expect, it } from "vitest";
import { TIP_KINDS } from "../../src/chronicle/tips/finding.ts";
import { CASES, casesOf } from "./corpus.ts";
import { judge, scoreOf } from "./judge.ts";

it("has cases for and against every detector, in both halves", () => {
  for (const kind of TIP_KINDS)
    for (const half of ["open", "held back"] as const) {
      const cases = casesOf(half).filter(({ about }) => about === kind);
      expect(
        cases.filter(({ expect: right }) => right.includes(kind)).length,
        `${kind}, for, ${half}`,
      ).toBeGreaterThan(0);
      expect(
        cases.filter(({ expect: right }) => right.length === 0).length,
        `${kind}, against, ${half}`,
      ).toBeGreaterThan(0);
    }
  expect(casesOf("open").length + casesOf("held back").length).toBe(CASES.length);
  expect(new Set(CASES.map(({ about, name }) => `${about}: ${name}`)).size).toBe(CASES.length);
});

describe.each(["open", "held back"] as const)("the half that is %s", (half) => {
  const verdicts = casesOf(half).map(judge);
  it("is judged right at least nine times of ten", () => {
    const wrong = verdicts.filter(({ wrong: bad, missed }) => bad.length + missed.length > 0);
    const { precision, recall } = scoreOf(verdicts);
    expect(precision, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.9);
    expect(recall, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.8);
  });
});
