/** Tags as a person gives them, looks for them, and keeps them whatever becomes of the store. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHome, type Home, line, linesOf, start } from "./home.ts";

const BEGAN = new Date("2026-11-01T10:00:00.000Z");
const SHED = "5e551011-aaaa-4bbb-8ccc-000000000001";
const BARN = "6e551011-aaaa-4bbb-8ccc-000000000002";
let home: Home;
beforeEach(() => {
  home = createHome();
  for (const [id, name] of [
    [SHED, "Shed"],
    [BARN, "Barn"],
  ] as const)
    home.session(id, [start(id, BEGAN), line("user.message", { content: `Paint the ${name}` }, BEGAN, 1)], {
      name,
    });
});
afterEach(() => home.remove());

const json = (...words: string[]) => {
  const { stdout, code } = home.again(...words, "--json");
  return { code, ...JSON.parse(stdout) };
};
const tagged = (...words: string[]): Record<string, string[]> =>
  Object.fromEntries(
    json("list", ...words).sessions.map(({ title, tags }: { title: string; tags: string[] }) => [
      title,
      tags,
    ]),
  );

it("gives, shows, lists, filters by and removes tags", () => {
  expect(linesOf(home.again("tag", "Shed", "Release", "to  review"))).toEqual([
    "5e551011 is tagged release, to review",
  ]);
  expect(json("tag", BARN, "release")).toMatchObject({
    code: 0,
    sessions: [{ source: "copilot-cli", id: BARN, tags: ["release"] }],
  });
  expect(json("tag").tags).toEqual([
    { tag: "release", count: 2 },
    { tag: "to review", count: 1 },
  ]);
  expect(json("tag", "Shed").tags).toEqual([
    { tag: "release", count: 2 },
    { tag: "to review", count: 1 },
  ]);
  expect(tagged("--tag", "RELEASE", "--tag", "to review")).toEqual({ Shed: ["release", "to review"] });
  expect(tagged("--tag", "nobody has this")).toEqual({});
  expect(home.again("show", "Shed").stdout).toMatch(/tags +release, to review/);
  expect(json("search", "paint", "--tag", "to review").hits).toMatchObject([{ session: { id: SHED } }]);
  expect(json("sql", "SELECT title, tag FROM tag_use ORDER BY 1, 2").rows).toEqual([
    ["Barn", "release"],
    ["Shed", "release"],
    ["Shed", "to review"],
  ]);
  expect(linesOf(home.again("tag", "Shed", "to review", "never had", "--remove"))).toEqual([
    "5e551011 is tagged release",
  ]);
  expect(linesOf(home.again("tag", "Shed", "release", "--remove"))).toEqual(["5e551011 has no tags"]);
  expect(tagged()).toEqual({ Shed: [], Barn: ["release"] });
});

describe("tags outlive", () => {
  beforeEach(() => {
    expect(home.again("tag", SHED, "keep").code).toBe(0);
  });

  it("a rebuild of the store", () => {
    expect(json("index", "--rebuild").code).toBe(0);
    expect(json("list", "--tag", "keep", "--no-refresh").sessions).toMatchObject([
      { id: SHED, tags: ["keep"] },
    ]);
  });

  it("the store itself", () => {
    for (const end of ["", "-wal", "-shm"])
      rmSync(join(home.dataHome, `session-store.db${end}`), { force: true });
    expect(tagged("--tag", "keep")).toEqual({ Shed: ["keep"] });
  });

  it("a store that cannot be used", () => {
    for (const end of ["", "-wal", "-shm"])
      rmSync(join(home.dataHome, `session-store.db${end}`), { force: true });
    mkdirSync(join(home.dataHome, "session-store.db"));
    expect(tagged("--tag", "keep")).toEqual({ Shed: ["keep"] });
    expect(json("tag", BARN, "also").sessions).toMatchObject([{ tags: ["also"] }]);
    expect(tagged()).toEqual({ Shed: ["keep"], Barn: ["also"] });
  });

  it("another name, and a deletion that is undone; a copy starts without any", () => {
    expect(home.again("rename", SHED, "Hut", "--yes").code).toBe(0);
    expect(home.again("clone", SHED, "--name", "Copy").code).toBe(0);
    expect(tagged()).toEqual({ Hut: ["keep"], Copy: [], Barn: [] });
    const { operation } = json("delete", SHED, "--yes");
    expect(json("tag").tags).toEqual([]);
    expect(json("undo", operation, "--yes").code).toBe(0);
    expect(tagged("--tag", "keep")).toEqual({ Hut: ["keep"] });
  });
});

it.each([
  ["a tag that is too long", ["x".repeat(41)], "at most 40 characters"],
  ["a comma", ["a,b"], "cannot have"],
  ["too many at once", Array.from({ length: 21 }, (_, at) => `t${at}`), "20"],
])("refuses %s, and changes nothing", (_, tags, why) => {
  expect(json("tag", SHED, ...tags)).toMatchObject({
    code: 2,
    error: { code: "usage", message: expect.stringContaining(why) },
  });
  expect(tagged()).toEqual({ Shed: [], Barn: [] });
});

it("refuses the tag too many, an unknown session, and --remove of nothing", () => {
  const many = Array.from({ length: 20 }, (_, at) => `t${at}`);
  expect(home.again("tag", SHED, ...many).code).toBe(0);
  expect(json("tag", SHED, "one more")).toMatchObject({
    code: 2,
    error: { message: expect.stringContaining("would have 21") },
  });
  expect(json("tag", "no such", "x")).toMatchObject({ code: 3, error: { code: "session-not-found" } });
  expect(json("tag", SHED, "--remove")).toMatchObject({ code: 2, error: { code: "usage" } });
  expect(tagged().Shed).toHaveLength(20);
});
