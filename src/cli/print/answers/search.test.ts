/** Each hit with the command that shows it, each session with the one that continues it, narrow or wide. */
import { expect, it } from "vitest";
import type { Hit, SearchReport } from "../../../app/contract.ts";
import { createStyle } from "../../../present/text/style.ts";
import { widthOf } from "../../../present/text/text.ts";
import { printSearch } from "./search.ts";

const ID = "0b1c2d3e-0000-4000-8000-000000000001";
const SAID =
  "the login test waits for a token that never comes, because the clock of the runner is ahead by a minute";
const hit = (turn: number | undefined, more: Partial<Hit["session"]>): Hit =>
  ({
    session: {
      source: "copilot-cli",
      id: ID,
      title: "Flaky",
      updatedAt: "1970-01-01T00:00:00Z",
      resume: "copilot",
      ...more,
    },
    where: turn === undefined ? "session" : "turn",
    ...(turn !== undefined && { turn }),
    snippet: SAID,
    score: 1,
  }) as Hit;

function printed(columns: number, hits: readonly Hit[], isDemo = false): string[] {
  const [first] = hits;
  const report = {
    hits,
    sessions: first ? [{ session: first.session, hits }] : [],
    partial: false,
    respelt: [],
    missing: [],
    optional: [],
  } as unknown as SearchReport;
  const setting = { words: ["login"], limit: 20, isDemo, isNarrowed: false, now: new Date(0) };
  return printSearch(report, setting, { columns, style: createStyle(false) });
}

it("has a command to copy for every hit and session at any width", () => {
  for (const columns of [80, 140]) {
    const lines = printed(columns, [hit(3, {}), hit(12, {})], true);
    expect(lines.every((line) => widthOf(line) <= columns)).toBe(true);
    expect(lines[1]).toMatch(/^0b1c2d3e · copilot-cli · .* · rethread resume 0b1c2d3e --demo$/);
    for (const turn of [3, 12])
      expect(
        lines.filter((line) => line.endsWith(` rethread show 0b1c2d3e --turn ${turn} --demo`)),
      ).toHaveLength(1);
    // Beside the words where there is room for both.
    expect(lines).toHaveLength(columns === 80 ? 8 : 6);
  }
});

it("cuts no command, however narrow the terminal", () => {
  const lines = printed(30, [hit(3, {})]);
  expect(lines).toContain("  rethread resume 0b1c2d3e");
  expect(lines).toContain(`${" ".repeat(10)}rethread show 0b1c2d3e --turn 3`);
});

it("offers to read what is not in a turn, and what cannot be continued", () => {
  expect(printed(140, [hit(undefined, {})])[1]).toMatch(/rethread resume 0b1c2d3e · rethread show 0b1c2d3e$/);
  const gone = printed(140, [hit(1, { vanishedAt: "1970-01-01T00:00:00Z" })]);
  expect(gone[1]).toMatch(/files gone · rethread show 0b1c2d3e$/);
  expect(gone.join("\n")).not.toContain("resume");
});

it("keeps a file on one line, whatever its name", () => {
  const lines = printed(80, [
    { ...hit(undefined, {}), where: "file", label: "files/$(x)\n\u001b[2J.md" } as Hit,
  ]);
  expect(lines.join("").includes("\n")).toBe(false);
  expect(lines.join("\n")).toContain("files/$(x) ␛[2J.md");
});
