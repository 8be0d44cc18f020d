/** `rethread show`, as a person or a program runs it. */
import { describe, expect, it } from "vitest";
import { FLAKY, LOGIN, useReadingHome } from "./reading-home.ts";

const { home, json } = useReadingHome();

describe("show", () => {
  it("gives the session, its turns and their parts in the shape that programs rely on", () => {
    const shown = json("show", "0b1c2d3e");
    expect(shown.session).toMatchObject({ id: LOGIN, turns: 2 });
    expect(shown.problems).toEqual([]);
    expect(shown.turns).toMatchObject([
      {
        index: 0,
        user: "Fix the login redirect",
        assistant: "Let me look.\n\n**Done**: all tests pass.",
        startedAt: expect.stringMatching(/Z$/),
        parts: [
          { kind: "text", text: "Let me look." },
          { kind: "tool", name: "bash", input: { command: "npm test" }, status: "ok", result: "2 passed" },
          { kind: "text", text: "**Done**: all tests pass." },
        ],
      },
      { index: 1, user: "Thank you", assistant: "", parts: [] },
    ]);
  });

  it("finds it by the start of its id, its title and source:id, in any case", () => {
    for (const name of ["0b1c2", "login redirect", "LOGIN", "copilot-cli:0b1c2d"])
      expect(json("show", name).session.id).toBe(LOGIN);
  });

  it("gives one turn when asked, and the same as lines", () => {
    expect(json("show", "login", "--turn", "1").turns).toMatchObject([{ index: 1, user: "Thank you" }]);
    const lines = home.rethread("show", "login", "--jsonl").stdout.trimEnd().split("\n");
    expect(lines.map((each) => JSON.parse(each).index)).toEqual([0, 1]);
  });

  it("prints the conversation for people, with the damage at its end", () => {
    const { stdout } = home.rethread("show", "login");
    for (const words of [
      "▌ Fix the login redirect",
      "✓ bash npm test",
      "  Done: all tests pass.",
      "▌ Thank you",
    ])
      expect(stdout).toContain(words);
    expect(home.rethread("show", "flaky").stdout).toMatch(/Problems\n {2}• record-torn events\.jsonl:3 /);
    expect(json("show", "flaky").problems).toMatchObject([{ code: "record-torn", line: 3, session: FLAKY }]);
  });

  it("prints Markdown, and a page", () => {
    const markdown = home.rethread("show", "login", "--format", "md").stdout;
    expect(markdown).toMatch(/^# Login redirect\n/);
    expect(markdown).toContain("## Turn 1");
    expect(markdown).toContain("- ✓ **bash** `npm test` (8 chars)");
    const page = home.rethread("show", "login", "--format", "html").stdout;
    expect(page).toMatch(/^<!doctype html>[\s\S]*<strong>Done<\/strong>: all tests pass\.[\s\S]*<\/html>\n$/);
  });

  it("prints the same JSON however it is asked for, and refuses two formats at once", () => {
    expect(JSON.parse(home.rethread("show", "login", "--format", "json").stdout)).toEqual(
      json("show", "login"),
    );
    expect(json("show", "login", "--format", "html").error).toMatchObject({ code: "usage" });
    expect(JSON.parse(home.rethread("show", "nobody", "--format", "json").stdout).error.code).toBe(
      "session-not-found",
    );
  });
});
