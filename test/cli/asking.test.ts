/** The command in a terminal: what it asks, and how it shows more than fits the screen. */
import { describe, expect, it } from "vitest";
import { hasScript, openTerminal } from "./at-terminal.ts";
import { LOGIN, useReadingHome } from "./reading-home.ts";

const { home } = useReadingHome();
const [CTRL_C, ENTER, ESC, DOWN] = ["\x03", "\r", "\x1b", "\x1b[B"];

describe.runIf(hasScript)("a name that is missing or ambiguous", () => {
  it("is picked from all sessions, and the command goes on with it", async () => {
    const terminal = openTerminal(home, ["show"]);
    await terminal.type("flaky", "3 sessions");
    await terminal.type(ENTER, "1 of 3");
    const { rows, code } = await terminal.end();
    expect(code).toBe(0);
    expect(rows.slice(0, 2)).toEqual(["show: which session? 0b1cffff Flaky test", "Flaky test"]);
  });

  it("is picked from those that match, for a change as well", async () => {
    const terminal = openTerminal(home, ["rename", "0b1c"]);
    await terminal.type(`Renamed${ENTER}`, "New name: ");
    await terminal.type(DOWN, "Last prompt: Thank you");
    await terminal.type(`${DOWN}\x1b[A\x1b[A${ENTER}`, "Last prompt: Fix the flaky test");
    await terminal.type(`n${ENTER}`, "Proceed? [y/N] ");
    const { rows, code } = await terminal.end();
    expect(code).toBe(1);
    expect(rows[1]).toBe("rename: which session? 0b1c2d3e Login redirect");
    expect(rows).toContain("Nothing was changed.");
    expect(home.again("list", "--json").stdout).toContain('"title":"Login redirect"');
  });

  it.each([
    ["Esc", ESC],
    ["Ctrl-C", CTRL_C],
  ])("is left with %s, and nothing is done", async (_, key) => {
    const terminal = openTerminal(home, ["delete"]);
    await terminal.type(key, "Last prompt:");
    const { rows, code } = await terminal.end();
    expect(code).toBe(130);
    expect(rows.filter(Boolean)).toEqual(["Nothing was chosen, and nothing was done."]);
    expect(home.again("show", LOGIN).code).toBe(0);
  });

  it("is confirmed only by what is typed when the question is there", async () => {
    const terminal = openTerminal(home, ["rename", LOGIN, "Other"]);
    await terminal.type(`y${ENTER}`, "");
    await terminal.type(`n${ENTER}`, "Proceed? [y/N] ");
    const { rows, code } = await terminal.end();
    expect(code).toBe(1);
    expect(rows).toContain("Nothing was changed.");
  });

  it("ends a question with Ctrl-C as well", async () => {
    const terminal = openTerminal(home, ["rename", LOGIN, "Other"]);
    await terminal.type(CTRL_C, "Proceed? [y/N] ");
    const { rows, code } = await terminal.end();
    expect(code).toBe(130);
    expect(rows).toContain("Nothing was done.");
  });
});

describe.runIf(hasScript)("output that is longer than the screen", () => {
  const seen = async (words: string[], vars: Record<string, string>) => {
    const { rows, code } = await openTerminal(home, words, { NO_COLOR: "1", ...vars }).end();
    expect(code).toBe(0);
    return rows.filter(Boolean);
  };

  it("goes to the pager that is named, which may leave early", async () => {
    expect(await seen(["help"], { PAGER: "sed -n '1s/^/paged: /p'" })).toEqual([
      "paged: Usage: rethread [command] [options]; more: rethread help <command>",
    ]);
    expect(await seen(["help"], { PAGER: "head -1" })).toHaveLength(1);
    expect((await seen(["list"], { PAGER: "sed s/^/paged:/" })).join("\n")).not.toContain("paged:");
  });

  it.each([
    ["--no-pager", ["help", "--no-pager"], "false"],
    ["a pager that is missing", ["help"], "no-such-pager"],
    ["no pager", ["help"], ""],
    ["JSON", ["help", "--json"], "head -1"],
  ])("is printed with %s", async (_, words, PAGER) => {
    expect((await seen(words, { PAGER })).length).toBeGreaterThan(30);
  });
});
