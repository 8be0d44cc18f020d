import { expect, it } from "vitest";
import { filterItems, groupsOf, type Item, keyOf } from "./items.ts";

const item = (change: Partial<Item>): Item => ({
  repository: "acme/shop",
  branch: "*",
  source: "user",
  name: "cents",
  description: "Money",
  content: "We count in cents.",
  readCount: 0,
  useCount: 0,
  createdAt: null,
  updatedAt: null,
  keptBy: "rethread",
  evidence: [],
  ...change,
});

it("filters by words anywhere in an item, by repository and by branch", () => {
  const items = [item({}), item({ name: "b", branch: "dev" }), item({ name: "c", repository: "acme/other" })];
  const found = (filter: object) => filterItems(items, filter).map(({ name }) => name);
  expect(found({ q: "COUNT  money" })).toEqual(["cents", "b", "c"]);
  expect(found({ q: "other" })).toEqual(["c"]);
  expect(found({ q: "nothing" })).toEqual([]);
  expect(found({ repo: "acme/shop" })).toEqual(["cents", "b"]);
  expect(found({ repo: "acme/shop", branch: "*" })).toEqual(["cents"]);
});

it("groups by board, and tells items of one name apart by who keeps them", () => {
  const items = [item({}), item({ name: "b" }), item({ branch: "dev" })];
  expect(groupsOf(items).map(({ branch, items: own }) => [branch, own.length])).toEqual([
    ["*", 2],
    ["dev", 1],
  ]);
  const keys = [
    item({}),
    item({ keptBy: "copilot-cli", source: "agent" }),
    item({ keptBy: "copilot-cli" }),
  ].map(keyOf);
  expect(new Set(keys).size).toBe(3);
});
