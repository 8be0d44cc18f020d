/** `rethread index --copilot` as a person types it. */
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeCopilotStore } from "../copilot-store.ts";
import { pidLike } from "../lookalike.ts";
import { createHome, type Home, line, start } from "./home.ts";

const ONE = "11111111-0000-4000-8000-000000000000";
const TWO = "22222222-0000-4000-8000-000000000000";
let home: Home;
const copilot = (...names: string[]): string => join(home.path, ".copilot", ...names);
const rethread = (...words: string[]) => home.again("index", "--copilot", ...words);
/** Every file and folder of Copilot CLI's home, with its times. */
const everything = () =>
  [".", ...readdirSync(copilot(), { recursive: true, encoding: "utf8" })].sort().map((name) => {
    const { size, mtimeMs, ctimeMs, ino } = statSync(copilot(name));
    return { name, size, mtimeMs, ctimeMs, ino };
  });

beforeAll(() => {
  home = createHome();
  const began = new Date("2026-10-01T10:00:00Z");
  for (const id of [ONE, TWO])
    home.session(id, [start(id, began), line("user.message", { content: "Hello" }, began, 1)]);
});
afterAll(() => home.remove());

describe("before Copilot CLI has a store", () => {
  it("says what to do", () => {
    const { code, stderr } = rethread();
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /has no store at .*session-store\.db \(nothing-found\)\nStart GitHub Copilot CLI once/,
    );
  });
});

describe("with a store", () => {
  beforeAll(() => makeCopilotStore(copilot("session-store.db")).close());

  it("says what would change, and writes nothing", () => {
    const table =
      /TABLE +ADDED +UPDATED +REMOVED\nsessions +2 +0 +0\nturns +2 +0 +0\nsearch_index +2 +0 +0\n/;
    for (let twice = 0; twice < 2; twice++) {
      const before = everything();
      const { stdout, code } = rethread("--dry-run");
      expect(everything()).toEqual(before);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^Copilot CLI's store: 2 sessions would change, 0 unchanged\. Nothing was written\.\n/,
      );
      expect(stdout).toMatch(table);
    }
  });

  it("changes it, says how to go back, and that can be done as it says", () => {
    const { stdout } = rethread();
    expect(stdout).toMatch(
      /^Copilot CLI's store: 2 sessions changed, 0 unchanged \(\S+ \w?B in [\d.]+ s\)\.\n/,
    );
    const words =
      /To restore the state before this:\n {2}rethread (.*)\n$/.exec(stdout)?.[1]?.split(" ") ?? [];
    expect(statSync(words.at(-1) ?? "").mode & 0o777).toBe(0o600);
    expect(rethread().stdout).toMatch(/^Copilot CLI's store matches its 2 sessions; nothing to change/);
    expect(home.again(...words).stdout).toMatch(/^Copilot CLI's store was restored from /);
    expect(rethread("--dry-run").stdout).toMatch(/2 sessions would change/);
  });

  it("gives programs what index gives them, and more", () => {
    rethread();
    rmSync(copilot("session-state", TWO), { recursive: true });
    expect(JSON.parse(rethread("--json").stdout)).toEqual({
      schemaVersion: 1,
      store: copilot("session-store.db"),
      dryRun: false,
      outcome: "complete",
      indexed: 0,
      unchanged: 1,
      removed: 1,
      problemCount: 0,
      problems: 0,
      unreadable: 0,
      bytesRead: expect.any(Number),
      seconds: expect.any(Number),
      tables: {
        sessions: { added: 0, updated: 0, removed: 1 },
        turns: { added: 0, updated: 0, removed: 1 },
        search_index: { added: 0, updated: 0, removed: 1 },
      },
      risks: [],
      backup: expect.stringContaining(join(home.dataHome, "backups", "copilot-session-store-")),
    });
  });

  it("refuses while Copilot CLI runs, with a code of its own", () => {
    const lock = copilot("session-state", ONE, `inuse.${pidLike("copilot")}.lock`);
    writeFileSync(lock, `${pidLike("copilot")}\n`);
    const { code, stdout } = rethread("--json");
    const ignoring = rethread("--json", "--ignore-lock", "--dry-run");
    rmSync(lock);
    expect(JSON.parse(ignoring.stdout).risks).toEqual([
      expect.stringContaining(`process ${pidLike("copilot")} seems`),
    ]);
    expect(code).toBe(5);
    expect(JSON.parse(stdout).error).toEqual({
      code: "agent-running",
      message: `GitHub Copilot CLI is running (pid ${pidLike("copilot")}) and may write to its store`,
      hint: "Close it and run the command again; if it is not running, add --ignore-lock",
    });
  });

  it.each([
    ["--copilot", "--rebuild"],
    ["--copilot", "--source", "vscode"],
    ["--copilot", "--dry-run", "--restore", "x"],
    ["--dry-run"],
    ["--copilot", "--restore", "not-there.db"],
    ["--copilot", "--restore", ".copilot"],
    ["--copilot", "--restore", `.copilot/session-state/${ONE}/events.jsonl`],
  ])("does not guess what is meant by %s %s", (...words) => {
    const { code, stdout } = home.again("index", ...words, "--json");
    expect({ code, error: JSON.parse(stdout).error.code }).toEqual({ code: 2, error: "usage" });
  });
});
