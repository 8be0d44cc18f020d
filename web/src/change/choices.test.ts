import { describe, expect, it } from "vitest";
import { startingChoices, toReduction, toWanted } from "./choices.ts";
import { toCommandLine } from "./command.ts";

const SESSION = "copilot-cli:0b1c";
const choicesFor = (kind: Parameters<typeof toWanted>[0], input = {}) =>
  startingChoices({ kind, sessions: [SESSION], input });
const askOf = (
  kind: Parameters<typeof toWanted>[0],
  some: Partial<ReturnType<typeof choicesFor>> = {},
  sessions: readonly string[] = [SESSION],
) => {
  const wanted = toWanted(kind, sessions, { ...choicesFor(kind), ...some });
  return "asks" in wanted ? wanted.asks : wanted.missing;
};

describe("the input of a change", () => {
  it("has only what was chosen", () => {
    expect(askOf("clone")).toEqual([{ operation: "clone", input: { session: SESSION } }]);
    expect(askOf("clone", { to: "/w", paths: "keep", name: " B ", tools: "oldest", budget: 60_000 })).toEqual(
      [
        {
          operation: "clone",
          input: {
            session: SESSION,
            to: "/w",
            paths: "keep",
            name: "B",
            tools: { oldest: 80 },
            budget: 60_000,
          },
        },
      ],
    );
    expect(askOf("handoff")).toBe("Choose the program that continues the session.");
    expect(askOf("handoff", { target: "vscode", to: "/w", budget: 9 })).toEqual([
      { operation: "handoff", input: { session: SESSION, to: "vscode", workspace: "/w", budget: 9 } },
    ]);
    expect(askOf("fork", { turn: 0 })).toEqual([{ operation: "fork", input: { session: SESSION, at: 0 } }]);
    expect(askOf("rewind", { turn: 3, files: true })).toEqual([
      { operation: "rewind", input: { session: SESSION, to: 3, files: true } },
    ]);
  });

  it("says what is missing instead of asking in vain", () => {
    expect(askOf("rewind")).toBe("Choose the last turn to keep.");
    expect(askOf("rename", { name: "  " })).toBe("Write the new name.");
    expect(askOf("move", {}, [])).toBe("Name the folder whose sessions move.");
    expect(askOf("move")).toBe("Name the folder to move to.");
  });

  it("takes several sessions as one write", () => {
    expect(askOf("delete", {}, ["a:1", "b:2"])).toEqual([
      { operation: "delete", input: { sessions: ["a:1", "b:2"] } },
    ]);
    expect(askOf("rescue-all", { source: "vscode" }, ["a:1"])).toEqual([
      { operation: "rescue-all", input: { source: "vscode" } },
      { operation: "rescue", input: { session: "a:1" } },
    ]);
    expect(askOf("rescue-all", { source: "" }, ["a:1"])).toHaveLength(1);
  });

  it("starts with what the request says, and with nothing that it does not", () => {
    const choices = choicesFor("clone", {
      budget: 60_000,
      dropOldest: { percent: 50 },
      tools: "drop",
      to: 7,
    });
    expect(toReduction({ ...choices, summarize: true })).toEqual({
      tools: "drop",
      dropOldest: { percent: 50 },
      budget: 60_000,
      summarize: true,
    });
    expect(choices.to).toBe("");
    expect(choicesFor("rewind", { to: 4 }).turn).toBe(4);
  });

  it("summarizes only where turns are left out", () => {
    expect(toReduction({ ...choicesFor("clone"), summarize: true })).toEqual({});
  });
});

describe("a change as a command", () => {
  it("is what a person would type", () => {
    const line = (kind: Parameters<typeof toWanted>[0], some = {}, sessions = [SESSION]) =>
      (askOf(kind, some, sessions) as never[]).map(toCommandLine);
    expect(line("clone", { tools: "truncate", turns: "percent", to: "/a b", budget: 9 })).toEqual([
      `rethread clone ${SESSION} --to '/a b' --tools truncate:2000 --drop-oldest 50% --budget 9`,
    ]);
    expect(line("clone", { tools: "drop" })).toEqual([`rethread clone ${SESSION} --drop-tools`]);
    expect(line("rescue-all", { adopt: false }, [])).toEqual(["rethread rescue --vscode --no-adopt"]);
    expect(line("delete", {}, ["a:1", "b:2"])).toEqual(["rethread delete a:1 b:2"]);
    expect(line("undo", { operation: "5fdf9340" })).toEqual(["rethread undo 5fdf9340"]);
  });
});
