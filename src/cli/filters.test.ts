import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { toWorkFilter } from "./filters.ts";

const NOTHING = {
  source: [],
  tag: [],
  workspace: undefined,
  repo: undefined,
  branch: undefined,
  since: undefined,
  until: undefined,
};
const config = {
  now: () => new Date("2026-07-15T12:00:00.000Z"),
  folder: resolve("/srv/shop"),
  environment: { platform: "linux" as const, homeDir: "/home/dev", vars: {} },
};

it.each([
  [".", resolve("/srv/shop")],
  ["../other", resolve("/srv/other")],
  ["~", "/home/dev"],
  ["~/work", "/home/dev/work"],
  ["storefront", "storefront"],
  [join("a", "..b"), join("a", "..b")],
])("takes the folder %s for %s", (workspace, meant) => {
  expect(toWorkFilter({ ...NOTHING, workspace }, config)).toEqual({ workspace: meant });
});

it("makes dates of times, and leaves out what was not said", () => {
  expect(toWorkFilter(NOTHING, config)).toEqual({});
  expect(toWorkFilter({ ...NOTHING, since: "2h", until: "2026-07-15T11:30:00Z" }, config)).toEqual({
    since: new Date("2026-07-15T10:00:00.000Z"),
    until: new Date("2026-07-15T11:30:00.000Z"),
  });
});
