/** diff as people type it, on the demo's forks. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { widthOf } from "../../src/present/text/text.ts";
import { createHome, type Home, linesOf } from "./home.ts";

let home: Home;
let parent = "";
let fork = "";

beforeAll(() => {
  home = createHome();
  const { sessions } = JSON.parse(home.rethread("list", "--demo", "--json").stdout);
  const found = sessions.find(
    (session: { source: string; parent: object | null }) =>
      session.source === "copilot-cli" && session.parent,
  );
  [parent, fork] = [found.parent.id, found.id];
});
afterAll(() => home.remove());

describe("diff", () => {
  it("says that a session is the same as itself", () => {
    const { stdout, code } = home.rethread("diff", parent, parent, "--demo");
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n\nA and B are the same session\.\n$/);
  });

  it("tells what a fork shares with its origin, then what each did alone", () => {
    const { stdout } = home.rethread("diff", parent, fork, "--demo");
    expect(stdout).toContain("The first 3 turns are the same.\n\n= 0–2  3 turns are the same\n- 3 ");
    expect(stdout).toMatch(/\n\+ 3 {4}For the review .* 1 file, 1 command\n/);
    expect(stdout).toMatch(/\n\nFiles written\n- src\/checkout\/machine\.ts\n/);
    expect(stdout).toMatch(/\n\nCommands run\n(- .*\n)+\+ npm install --save-dev chartflow\n/);
    expect(stdout).toMatch(/\nRead one: rethread show [0-9a-f]{8} --turn 3 --demo\n$/);
  });

  it("gives programs the whole of it", () => {
    const diff = JSON.parse(home.rethread("diff", parent, fork, "--demo", "--json").stdout);
    expect(diff).toMatchObject({
      schemaVersion: 1,
      a: { id: parent, tokens: expect.any(Number) },
      b: { id: fork, tokens: expect.any(Number) },
      same: false,
      shared: 3,
      preambleDiffers: false,
      files: { onlyA: expect.arrayContaining(["src/checkout/machine.ts"]) },
      commands: { onlyB: ["npm install --save-dev chartflow"] },
    });
    expect(diff.turns[0]).toEqual({ change: "same", a: 0, b: 0, count: 3, user: null, differs: [] });
    expect(diff.turns.slice(1).map(({ change, a, b }: Record<string, unknown>) => [change, a ?? b])).toEqual([
      ...Array.from({ length: 16 }, (_, i) => ["only-a", 3 + i]),
      ["only-b", 3],
      ["only-b", 4],
    ]);
  });

  it("fits the window", () => {
    for (const columns of [40, 80, 120]) {
      const narrow = home.with({ COLUMNS: `${columns}` });
      for (const line of linesOf(narrow.rethread("diff", parent, fork, "--demo")))
        expect(widthOf(line), line).toBeLessThanOrEqual(columns);
    }
  });

  it("compares sessions of two programs by what was said and done", () => {
    const { sessions } = JSON.parse(home.rethread("list", "--demo", "--json", "--source", "vscode").stdout);
    const { stdout } = home.rethread("diff", parent, sessions[0].id, "--demo");
    expect(stdout).toContain("They differ from the first turn.");
    expect(stdout).toContain("so they are compared by prompts, answers and what the calls did");
  });

  it("says which session it does not know", () => {
    expect(home.rethread("diff", parent, "nosuchthing", "--demo").code).toBe(3);
    expect(home.rethread("diff", parent, "--demo").stderr).toMatch(
      /^error: diff needs <a> and <b> \(usage\)\nUsage: rethread diff <a> <b>\n/,
    );
  });
});
