import { describe, expect, it } from "vitest";
import { tell } from "../tell.ts";
import { CHAPTERS } from "./index.ts";

const NOW = new Date("2026-11-15T00:05:00.000Z"); // just after midnight, when "today" is shortest
const told = tell(CHAPTERS, "/demo/work", NOW);
const stories = told.map(({ story }) => story);
const ages = stories
  .flatMap((story) => story.turns.map((turn) => (NOW.getTime() - Date.parse(turn.at)) / 86_400_000))
  .sort((a, b) => a - b);

describe("the stories", () => {
  it("are about forty, from every source and many repositories, short and long", () => {
    expect(
      Object.entries(Object.groupBy(told, ({ telling }) => telling.source)).map(([id, all]) => [
        id,
        all?.length,
      ]),
    ).toEqual([
      ["copilot-cli", 16],
      ["claude-code", 12],
      ["vscode", 13],
    ]);
    expect(new Set(stories.map((story) => story.repository)).size).toBe(7);
    const turns = stories.map((story) => story.turns.length);
    expect([Math.min(...turns), Math.max(...turns)]).toEqual([1, 19]);
  });

  it("lie in the three months before now, the youngest today", () => {
    expect(ages[0]).toBeGreaterThan(0);
    expect(ages[0]).toBeLessThan(1);
    expect(ages.at(-1)).toBeGreaterThan(75);
    expect(ages.at(-1)).toBeLessThan(92);
  });

  it("go forward in time", () => {
    for (const { title, turns } of stories) {
      const times = turns.map((turn) => turn.at);
      expect(times, title).toEqual(times.toSorted());
    }
  });

  it("can be told apart by the first eight characters of their ids, and by their titles", () => {
    expect(new Set(stories.map((story) => story.id.slice(0, 8))).size).toBe(stories.length);
    expect(new Set(stories.map((story) => story.title)).size).toBe(stories.length);
  });

  it("have a compaction in two sources, two forks, and damage in two sources", () => {
    const which = (fits: (one: (typeof told)[number]) => boolean) =>
      told.filter(fits).map(({ telling }) => `${telling.source} ${telling.name}`);
    expect(which(({ story }) => story.turns.some((turn) => turn.compaction))).toEqual([
      "copilot-cli checkout-machine",
      "claude-code polars-migration",
    ]);
    expect(which(({ story }) => story.forkOf !== undefined)).toEqual([
      "copilot-cli checkout-library",
      "claude-code walk-threads",
    ]);
    expect(which(({ telling }) => telling.damage !== undefined)).toEqual([
      "copilot-cli backfill",
      "vscode gps-battery",
      "vscode print-styles",
    ]);
  });

  it.each(stories.map((story) => [story.title, story] as const))(
    "%s: every turn ends with an answer",
    (_title, story) => {
      for (const turn of story.turns) {
        expect(turn.steps.at(-1)?.kind).toBe("say");
        for (const step of turn.steps)
          if (step.kind === "tool" && step.tool.does === "edit") {
            expect(step.tool.before).not.toBe("");
            expect(step.tool.before).not.toBe(step.tool.after);
          }
      }
    },
  );
});
