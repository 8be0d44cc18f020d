import { expect, it } from "vitest";
import { createBudget } from "./within-budget.ts";

const from = { source: "copilot-cli", id: "one" } as const;

it("is content with what fits", () => {
  expect(createBudget(from, 100)(100)).toBeUndefined();
});

it("asks for less by what there was too much of, but for half at least", () => {
  const next = createBudget(from, 100);
  expect([next(120), next(500), next(90)]).toEqual([80, 40, undefined]);
});

it("comes to the next cut, however little is missing, before it asks for the least", () => {
  const next = createBudget(from, 1000);
  const cost = (target: number): number => (target < 900 ? 890 : 1005);
  const targets: number[] = [];
  for (let target: number | undefined = 1000; target !== undefined; target = next(cost(target)))
    targets.push(target);
  expect(targets).toEqual([1000, 995, 985, 965, 925, 845]);
});

it("asks for the least there can be in the end, and says how much that is", () => {
  const next = createBudget(from, 100);
  const asked = Array.from({ length: 8 }, () => next(101));
  expect(asked).toEqual([99, 97, 93, 85, 69, 37, 18, 0]);
  expect(() => next(101)).toThrow("A clone of this session needs at least 101 tokens");
});
