/** The overview, and what all reading commands do about the store. */
import { describe, expect, it } from "vitest";
import { createHome, start } from "./home.ts";
import { LOGIN, useReadingHome } from "./reading-home.ts";

const { home, json } = useReadingHome();

describe("a store that cannot be used", () => {
  it.each([["list"], ["overview"], ["show", "login"], ["context", "login"]])(
    "does not keep %s from answering, with one remark",
    (...words) => {
      const blocked = home.with({ RETHREAD_HOME: "/dev/null" });
      const { stdout, stderr, code } = blocked.rethread(...words, "--json");
      expect(code).toBe(0);
      // The weeks of an overview end now.
      const { weeks: _, notices = [], ...answer } = JSON.parse(stdout);
      // `show` writes its answer piece by piece.
      expect(notices).toEqual(words[0] === "show" ? [] : [stderr.trim()]);
      expect(JSON.parse(home.rethread(...words, "--json").stdout)).toMatchObject(answer);
      expect(stderr).toMatch(/^.*cannot be opened for writing; reading the agents' own files instead\n$/);
    },
  );

  it("is left alone when a session is named by its id", () => {
    const { stderr, code } = home.with({ RETHREAD_HOME: "/dev/null" }).rethread("show", LOGIN, "--json");
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  });
});

describe("--no-refresh", () => {
  it("answers from the store as it is", () => {
    const other = createHome();
    other.session(LOGIN, [start(LOGIN, new Date(0))]);
    expect(JSON.parse(other.again("list", "--json", "--no-refresh").stdout).total).toBe(0);
    expect(other.again("list", "--no-refresh").stdout).toBe(
      "The store has no sessions. Look for some: rethread list\n",
    );
    expect(JSON.parse(other.again("list", "--json").stdout).total).toBe(1);
    expect(JSON.parse(other.again("list", "--json", "--no-refresh").stdout).total).toBe(1);
    other.remove();
  });
});

describe("overview", () => {
  it("says what is here and what to do next", () => {
    const { stdout } = home.rethread();
    for (const words of [
      "3 sessions · 4 turns",
      "GitHub Copilot CLI",
      "1 damaged",
      "rethread show 0b1c2d3e",
      "rethread doctor",
    ])
      expect(stdout).toContain(words);
    const overview = json();
    expect(overview).toMatchObject({ schemaVersion: 1, sessions: 3, turns: 4, damaged: 1 });
    expect(overview.suggestions.map((each: { command: string }) => each.command)[0]).toBe(
      "rethread show 0b1c2d3e",
    );
  });

  it("says where it looked when there is nothing, and offers the demo", () => {
    const empty = createHome();
    const { stdout, code } = empty.rethread();
    empty.remove();
    expect(code).toBe(0);
    for (const words of ["No session was found", "~/.copilot", "~/.claude", "rethread demo"])
      expect(stdout).toContain(words);
  });
});
