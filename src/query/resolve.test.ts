import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { catalogOf, fakeSource } from "../../test/cli/fake-source.ts";
import type { AppError } from "../model/errors.ts";
import { toShell } from "../model/text/shell-words.ts";
import { resolveSession } from "./resolve.ts";

const catalog = catalogOf(
  fakeSource(
    [
      { id: "0b1c2d3e-aaaa", title: "Fix the login redirect" },
      { id: "0b1c9999-bbbb", title: "Fix the flaky test" },
      { id: "77777777-cccc", title: "Upgrade the linter" },
    ],
    "one",
  ),
  fakeSource([{ id: "77777777-cccc", title: "Another program's session" }], "two"),
);
const idOf = async (name: string): Promise<string> => {
  const { artifact } = await resolveSession(catalog, name);
  return `${artifact.source}:${artifact.id}`;
};

describe("resolveSession", () => {
  it.each([
    ["0b1c2d3e-aaaa", "one:0b1c2d3e-aaaa"],
    ["0b1c2", "one:0b1c2d3e-aaaa"],
    ["0B1C2", "one:0b1c2d3e-aaaa"],
    ["two:7777", "two:77777777-cccc"],
    ["Upgrade the linter", "one:77777777-cccc"],
    ["flaky", "one:0b1c9999-bbbb"],
    ["one:upgrade", "one:77777777-cccc"],
  ])("understands %j", async (name, expected) => {
    expect(await idOf(name)).toBe(expected);
  });

  it("opens no session to find one by its id", async () => {
    const blind = { ...catalog, read: () => Promise.reject(new Error("opened a session")) };
    await expect(resolveSession(blind, "0b1c2")).resolves.toBeDefined();
  });

  it("lists the candidates when a name fits several", async () => {
    await expect(resolveSession(catalog, "0b1c")).rejects.toMatchObject({
      code: "session-ambiguous",
      message: '"0b1c" matches 2 sessions',
      hint: "Name one by its id, for example one:0b1c2d3e",
      ambiguity: {
        name: "0b1c",
        matches: [
          { name: "0b1c2d3e", session: { title: "Fix the login redirect" } },
          { name: "0b1c9999", session: { title: "Fix the flaky test" } },
        ],
      },
    });
  });

  it("names the source where an id alone is not enough", async () => {
    await expect(resolveSession(catalog, "7777")).rejects.toMatchObject({
      ambiguity: { matches: [{ name: "one:77777777" }, { name: "two:77777777" }] },
    });
  });

  it("knows the latest session, of all, of a source, and of this folder", async () => {
    const at = (workspace: string, day: number) => ({ workspace, updatedAt: `2026-11-0${day}T00:00:00Z` });
    const dated = catalogOf(
      fakeSource(
        [
          { id: "a", head: at("/src/shop", 1) },
          { id: "b", head: at("/src/shop/web", 3) },
        ],
        "one",
      ),
      fakeSource(
        [
          { id: "c", head: at("/src/other", 5) },
          { id: "d", title: "latest" },
        ],
        "two",
      ),
    );
    const idIn = async (name: string, folder = "/src/shop"): Promise<string> =>
      (await resolveSession(dated, name, undefined, { folder })).artifact.id;
    expect(await idIn("latest")).toBe("c");
    expect(await idIn("one:latest")).toBe("b");
    expect(await idIn(".")).toBe("b");
    expect(await idIn("two:.", "/src/other")).toBe("c");
    expect(await idIn("d")).toBe("d");
    await expect(idIn(".", "/src/none")).rejects.toMatchObject({
      code: "session-not-found",
      message: "No session is about this folder, /src/none",
    });
  });

  it("suggests the nearest title or id when none fits", async () => {
    await expect(resolveSession(catalog, "upgrade teh lintr")).rejects.toMatchObject({
      code: "session-not-found",
      hint: 'Did you mean one:77777777 "Upgrade the linter"?',
    });
    await expect(resolveSession(catalog, "0b2c2d3e")).rejects.toMatchObject({
      hint: 'Did you mean one:0b1c2d3e "Fix the login redirect"?',
    });
    await expect(resolveSession(catalog, "quantum chromodynamics")).rejects.toMatchObject({
      hint: "See all sessions: rethread list",
    });
  });

  it("takes the one written last when a session lies under two roots", async () => {
    const twice = catalogOf(
      fakeSource([
        { id: "same", root: "/stable", mtimeMs: 1 },
        { id: "same", root: "/insiders", mtimeMs: 2 },
      ]),
    );
    expect((await resolveSession(twice, "same")).artifact.root).toBe("/insiders");
  });

  it("gives what the scan knew about it, and nothing about others", async () => {
    const orphan = {
      code: "session-orphaned",
      source: "fake",
      session: "a",
      path: "/a",
      message: "not listed",
    } as const;
    const source = fakeSource([{ id: "a" }, { id: "b" }], "fake", {
      scanProblems: [orphan, { ...orphan, session: "b" }],
    });
    expect((await resolveSession(catalogOf(source), "a")).problems).toEqual([orphan]);
  });

  it("says so when there is no session at all", async () => {
    await expect(resolveSession(catalogOf(fakeSource([])), "x")).rejects.toMatchObject({
      code: "nothing-found",
    });
  });
});

describe("ids that differ in their case only", () => {
  const twins = catalogOf(
    fakeSource([
      { id: "ABCDEF01-0000", title: "Upper" },
      { id: "abcdef01-0000", title: "Lower" },
      { id: "abc", title: "Short" },
      { id: "it's  mine; $(x)", title: "Odd" },
      { id: "it's  mine; $(y)", title: "Odder" },
      { id: "session-1", title: "One" },
      { id: "session-2", title: "Two" },
      { id: "x1", title: "ABC" },
    ]),
  );
  const idOf = async (name: string): Promise<string> => (await resolveSession(twins, name)).artifact.id;

  it.each([
    ["ABCDEF01-0000", "ABCDEF01-0000"],
    ["abcdef01-0000", "abcdef01-0000"],
    ["ABCD", "ABCDEF01-0000"],
    ["abcd", "abcdef01-0000"],
    ["fake:ABCDEF01", "ABCDEF01-0000"],
    ["abc", "abc"],
    ["ABC", "abc"],
    ["upper", "ABCDEF01-0000"],
  ])("%j means %j", async (name, id) => {
    expect(await idOf(name)).toBe(id);
  });

  it("are named so that each can be typed", async () => {
    for (const name of ["AbCdEf01-0000", "AbCd", "it's", "session"]) {
      const error = await resolveSession(twins, name).catch((thrown: Error & { hint: string }) => thrown);
      expect(error).toMatchObject({ code: "session-ambiguous" });
      const { hint, ambiguity } = error as AppError;
      const words = (ambiguity?.matches ?? []).map((match) => toShell([match.name]));
      expect(words).toHaveLength(2);
      expect(hint).toContain(toShell([`fake:${ambiguity?.matches[0]?.name}`]));
      for (const word of words) {
        const typed = spawnSync("sh", ["-c", `printf %s ${word}`], { encoding: "utf8" }).stdout;
        expect((await idOf(typed)).startsWith(typed)).toBe(true);
      }
    }
  });
});
