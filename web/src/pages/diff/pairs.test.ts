/** Turns stand side by side where they part, and the summary counts them. */
import { expect, it } from "vitest";
import { summaryOf, toPairs } from "./pairs.ts";

type Steps = Parameters<typeof toPairs>[0];
const step = (change: Steps[number]["change"], a: number | null, b: number | null, count = 1) => ({
  change,
  a,
  b,
  count,
  user: null,
  differs: change === "changed" ? (["answer"] as const).slice() : [],
});

const steps = [
  step("same", 0, 0, 3),
  step("only-a", 3, null),
  step("only-a", 4, null),
  step("only-b", null, 3),
  step("changed", 5, 4),
  step("same", 6, 5, 1),
];

it("puts the turns of both sides beside each other", () => {
  expect(toPairs(steps)).toEqual([
    { kind: "same", a: 0, b: 0, count: 3 },
    { kind: "apart", a: 3, b: 3, differs: [] },
    { kind: "apart", a: 4, b: undefined, differs: [] },
    { kind: "apart", a: 5, b: 4, differs: ["answer"] },
    { kind: "same", a: 6, b: 5, count: 1 },
  ]);
});

it("says what it found", () => {
  const answer = { same: false, shared: 3, turns: steps, preambleDiffers: false } as unknown as Parameters<
    typeof summaryOf
  >[0];
  expect(summaryOf(answer)).toBe(
    "Turns 0–2 are the same. After that: 1 turn changed, 2 turns only on the left, 1 turn only on the right. 1 turn is the same again.",
  );
  expect(summaryOf({ ...answer, same: true })).toBe("Both say and do the same.");
  expect(summaryOf({ ...answer, shared: 0, turns: [step("only-b", null, 0)] })).toBe(
    "They differ from the first turn on. 1 turn only on the right.",
  );
});
