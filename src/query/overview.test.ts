import { describe, expect, it } from "vitest";
import { catalogOf, fakeSource, prompt, toSession } from "../../test/cli/fake-source.ts";
import type { Problem } from "../model/problem.ts";
import { overviewFromFiles, suggest } from "./overview.ts";

const now = new Date("2026-07-15T12:00:00.000Z");
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();
const problem = (code: Problem["code"], session: string): Problem => ({
  code,
  source: "one",
  session,
  path: "/p",
  message: code,
});

describe("overviewFromFiles", () => {
  it("adds up sessions, turns, sizes and last activity by source, and empty sources too", async () => {
    const one = fakeSource(
      [
        { id: "a", head: { updatedAt: daysAgo(2), bytes: 10 }, events: [prompt("x"), prompt("y")] },
        { id: "b", head: { updatedAt: daysAgo(1), bytes: 20 }, events: [prompt("z")] },
      ],
      "one",
    );
    const { sources, sessions, turns } = await overviewFromFiles(catalogOf(one, fakeSource([], "two")), now);
    expect({ sources, sessions, turns }).toEqual({
      sources: [
        {
          source: "one",
          label: "The one program",
          roots: ["/home"],
          sessions: 2,
          turns: 3,
          bytes: 30,
          lastActivity: daysAgo(1),
        },
        { source: "two", label: "The two program", roots: ["/home"], sessions: 0, turns: 0, bytes: 0 },
      ],
      sessions: 2,
      turns: 3,
    });
  });

  it("counts prompts by week, the last one ending now, and leaves out what is older", async () => {
    const events = [daysAgo(0), daysAgo(6), daysAgo(8), daysAgo(90), daysAgo(100)].map((time) =>
      prompt("x", time),
    );
    const { weeks } = await overviewFromFiles(catalogOf(fakeSource([{ id: "a", events }], "one")), now);
    expect(weeks.map((week) => week.turns)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
  });

  it("counts a damaged session as damaged, not as troubled, too", async () => {
    const source = fakeSource([{ id: "a" }, { id: "b" }, { id: "c" }, { id: "d" }], "one", {
      scanProblems: [
        problem("record-torn", "a"),
        problem("session-orphaned", "a"),
        problem("session-orphaned", "b"),
        problem("record-unknown", "c"),
      ],
    });
    const { damaged, troubled } = await overviewFromFiles(catalogOf(source), now);
    expect({ damaged, troubled }).toEqual({ damaged: 1, troubled: 1 });
  });
});

describe("suggest", () => {
  const small = toSession({
    id: "11111111-small",
    head: { title: "a", turns: 1, bytes: 5, repository: "acme/shop" },
  });
  const large = toSession({
    id: "22222222-large",
    head: { title: "b", turns: 9, bytes: 50, repository: "acme/shop" },
  });

  it("takes all three from the person's own sessions", () => {
    expect(suggest([small, large], 0)).toEqual([
      { command: ["show", "11111111"], why: "latest", session: small },
      { command: ["list", "--repo", "shop"], why: "busiest-repository", count: 2 },
      { command: ["context", "22222222"], why: "largest", session: large },
    ]);
  });

  it("offers a search for something from the middle of the person's own history", () => {
    const older = toSession({
      id: "33333333-older",
      head: { turns: 2, bytes: 5, title: "Fix the flaky checkout tests" },
    });
    expect(suggest([small, older], 0)[1]).toEqual({
      command: ["search", "flaky", "checkout"],
      why: "remembered",
      session: older,
    });
  });

  it("sends people with problems to the doctor", () => {
    expect(suggest([small], 3)[2]).toEqual({ command: ["doctor"], why: "problems", count: 3 });
  });

  it("offers the demo when there is nothing to look at", () => {
    expect(suggest([], 0)).toEqual([{ command: ["demo"], why: "demo" }]);
  });
});
