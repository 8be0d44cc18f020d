import { expect, it } from "vitest";
import { changeOf, hadOf } from "./tags-of-several.ts";

const had = hadOf([{ tags: ["all", "some"] }, { tags: ["all"] }]);

it("counts how many have each", () => {
  expect([...had]).toEqual([
    ["all", 2],
    ["some", 1],
  ]);
});

it("changes what was decided and is not so already, and leaves the rest", () => {
  const wanted = new Map([
    ["all", true],
    ["some", true],
    ["new", true],
    ["gone", false],
  ]);
  expect(changeOf(had, 2, wanted)).toEqual({ add: ["some", "new"], remove: [] });
  expect(changeOf(had, 2, new Map([["some", false]]))).toEqual({ add: [], remove: ["some"] });
  expect(changeOf(had, 2, new Map())).toEqual({ add: [], remove: [] });
});
