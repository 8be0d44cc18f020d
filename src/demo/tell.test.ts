import { describe, expect, it } from "vitest";
import { tell, toId, toTime } from "./tell.ts";
import { type Chapter, copilot } from "./telling.ts";

const NOW = new Date("2026-03-10T12:00:00.000Z");

const chapter: Chapter = {
  folder: "shop",
  repository: "lumen/shop",
  tellings: [
    copilot(
      "first",
      { title: "First", when: "3d 09:40", branch: "main" },
      `
      > One
      @read src/a.ts
      | a

      Read.

      @after 2h
      > Two
      @run ls # Look
      | a
      `,
    ),
    copilot("second", { title: "Second", when: "1h", forkOf: { name: "first", keep: 1 } }, "> Other"),
  ],
};

describe("tell", () => {
  it("fills in ids, absolute paths and dates", () => {
    const [first] = tell([chapter], "/home/work", NOW);
    expect(first?.story).toEqual({
      id: toId("first"),
      title: "First",
      workspace: "/home/work/shop",
      repository: "lumen/shop",
      branch: "main",
      createdAt: "2026-03-07T09:40:00.000Z",
      model: "claude-sonnet-4.5",
      turns: [
        {
          at: "2026-03-07T09:40:00.000Z",
          user: "One",
          steps: [
            { kind: "tool", tool: { does: "read", path: "/home/work/shop/src/a.ts" }, ok: true, output: "a" },
            { kind: "say", text: "Read." },
          ],
        },
        {
          at: "2026-03-07T11:40:00.000Z",
          user: "Two",
          steps: [{ kind: "tool", tool: { does: "run", command: "ls", why: "Look" }, ok: true, output: "a" }],
        },
      ],
    });
  });

  it("begins a fork with the turns it copied, at their own times", () => {
    const [first, second] = tell([chapter], "/home/work", NOW).map(({ story }) => story);
    expect(second?.forkOf).toEqual({ id: first?.id, title: "First", keep: 1 });
    expect(second?.turns.map(({ at, user }) => [at, user])).toEqual([
      ["2026-03-07T09:40:00.000Z", "One"],
      ["2026-03-10T11:00:00.000Z", "Other"],
    ]);
  });

  it("refuses a fork of a story that was not told", () => {
    const fork = copilot("lone", { title: "", when: "1h", forkOf: { name: "nobody", keep: 1 } }, "> Hi");
    expect(() => tell([{ ...chapter, tellings: [fork] }], "/w", NOW)).toThrow("lone is a fork");
  });
});

it("makes ids that have the form of a random UUID", () => {
  expect(toId("first")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});

it.each([
  ["12d 09:40", "2026-02-26T09:40:00.000Z"],
  ["3h", "2026-03-10T09:00:00.000Z"],
  ["25m", "2026-03-10T11:35:00.000Z"],
])("reads %s as %s", (when, expected) => {
  expect(toTime(when, NOW).toISOString()).toBe(expected);
});

it("refuses a span it cannot read", () => {
  expect(() => toTime("soon", NOW)).toThrow('not a span of time: "soon"');
});
