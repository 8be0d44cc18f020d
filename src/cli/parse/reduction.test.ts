import { expect, it } from "vitest";
import { toReduction } from "./reduction.ts";

const NOTHING = {
  dropTools: false,
  tools: undefined,
  dropThinking: false,
  dropOldest: undefined,
  budget: undefined,
};

it.each([
  [{ dropTools: true }, { tools: "drop" }],
  [{ tools: "oldest:80%" }, { tools: { oldest: 80 } }],
  [{ tools: "truncate:2000" }, { tools: { truncate: 2000 } }],
  [{ dropThinking: true }, { dropThinking: true }],
  [{ dropOldest: "50%" }, { dropOldest: { percent: 50 } }],
  [{ dropOldest: "12" }, { dropOldest: { count: 12 } }],
  [{ budget: "60k" }, { budget: 60_000 }],
  [{ budget: "1.5M" }, { budget: 1_500_000 }],
  [{ budget: "900" }, { budget: 900 }],
  [{}, {}],
])("reads %o as %o", (words, reduction) => {
  expect(toReduction({ ...NOTHING, ...words })).toEqual(reduction);
});

it.each([
  { tools: "newest:5%" },
  { tools: "oldest:101%" },
  { dropOldest: "half" },
  { dropOldest: "101%" },
  { budget: "0" },
  { budget: "much" },
  { dropTools: true, tools: "oldest:5%" },
])("does not guess what %o means", (words) => {
  expect(() => toReduction({ ...NOTHING, ...words })).toThrow(expect.objectContaining({ code: "usage" }));
});
