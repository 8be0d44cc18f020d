import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createReportStore, REPORT_NOW, type ReportStore } from "../../../test/report-store.ts";
import { createRedactor } from "../../model/redact/redact.ts";
import type { OwnCommit } from "./own-commits.ts";
import { makeStandup, readStandup, type Standup } from "./standup.ts";

let store: ReportStore;
beforeEach(() => {
  store = createReportStore();
});
afterEach(() => store.remove());

const standup = (
  since = "2026-11-14T00:00:00.000Z",
  until = "2026-11-15T12:00:00.000Z",
  commits: Record<string, readonly OwnCommit[]> = {},
  filter = {},
): Standup =>
  makeStandup(readStandup(store.db, { filter, since, until }), {
    since: new Date(since),
    until: new Date(until),
    now: REPORT_NOW,
    redact: createRedactor().text,
    commits: new Map(Object.entries(commits)),
  });
const only = (report: Standup) => report.repositories[0]?.branches[0];

it("tells by repository and branch what was done, and in which session and turn", () => {
  store.put(
    {
      id: "one",
      title: "Flaky login",
      branch: "fix/login",
      turns: [
        { user: "Why does it fail?" },
        {
          user: "Fix it",
          answer: "Fixed: the clock was shared. Tests pass.\n\nMore below.",
          files: { "/srv/shop/src/login.ts": "edited", "/srv/shop/readme.md": "read" },
          refs: [
            { type: "pr", value: "458" },
            { type: "issue", value: "7", mentioned: true },
            { type: "commit", value: "1a2b3c4" },
          ],
        },
      ],
    },
    { id: "two", repository: "Acme/Shop", branch: "docs", turns: [{ user: "Write the page" }] },
    { id: "three", repository: null, workspace: "/home/ada/notes", turns: [{ user: "Sort them" }] },
  );
  const session = { source: "copilot-cli", id: "one", title: "Flaky login" };
  const report = standup();
  expect(report).toMatchObject({ sessionCount: 3, turns: 4 });
  expect(report.repositories.map(({ repository, turns }) => [repository, turns])).toEqual([
    ["acme/shop", 3],
    ["/home/ada/notes", 1],
  ]);
  expect(report.repositories[0]?.branches.map(({ branch }) => branch)).toEqual(["fix/login", "docs"]);
  expect(only(report)).toEqual({
    branch: "fix/login",
    turns: 2,
    sessions: [
      {
        ...session,
        turns: 2,
        outcome: "Fixed: the clock was shared. Tests pass.",
        lastTurn: 1,
        lastAt: "2026-11-14T09:10:00.000Z",
      },
    ],
    files: [{ path: "src/login.ts", action: "edited", session, turn: 1 }],
    commits: [
      {
        commit: "1a2b3c4",
        subject: undefined,
        at: undefined,
        url: "https://github.com/acme/shop/commit/1a2b3c4",
        session,
        turn: 1,
      },
    ],
    pullRequests: [
      { number: "458", evidence: "tool", url: "https://github.com/acme/shop/pull/458", session, turn: 1 },
    ],
    issues: [
      { number: "7", evidence: "mentioned", url: "https://github.com/acme/shop/issues/7", session, turn: 1 },
    ],
    openEnds: [],
  });
});

describe("the range", () => {
  it("counts only turns within it, however long the session went on", () => {
    store.put({
      id: "long",
      turns: [
        { user: "a", at: "2026-11-10T09:00:00.000Z", files: { "/srv/shop/old.ts": "edited" } },
        { user: "b", at: "2026-11-14T09:00:00.000Z", files: { "/srv/shop/new.ts": "created" } },
        { user: "c", at: "2026-11-20T09:00:00.000Z", answer: null },
      ],
    });
    const branch = only(standup());
    expect(branch?.sessions).toMatchObject([{ id: "long", turns: 1 }]);
    expect(branch?.files.map(({ path }) => path)).toEqual(["new.ts"]);
    // It went on after the range, so its end is not open here.
    expect(branch?.openEnds).toEqual([]);
    expect(standup("2026-11-11T00:00:00.000Z", "2026-11-13T00:00:00.000Z").repositories).toEqual([]);
  });

  it("has a file that was changed before it and in it again", () => {
    store.put({
      id: "again",
      turns: [
        {
          user: "a",
          at: "2026-11-10T09:00:00.000Z",
          files: { "/srv/shop/a.ts": "edited", "/srv/shop/b.ts": "edited" },
        },
        {
          user: "b",
          at: "2026-11-14T09:00:00.000Z",
          calls: [
            { tool: "edit", label: "/srv/shop/a.ts" },
            { tool: "view", label: "/srv/shop/b.ts" },
          ],
        },
      ],
    });
    expect(only(standup())?.files).toMatchObject([{ path: "a.ts", turn: 1 }]);
  });

  it("has a pull request that an earlier turn opened and this one merged", () => {
    store.put({
      id: "merge",
      turns: [
        { user: "a", at: "2026-11-10T09:00:00.000Z", refs: [{ type: "pr", value: "9" }] },
        { user: "b", at: "2026-11-14T09:00:00.000Z", calls: [{ label: "gh pr merge 9 --squash" }] },
      ],
    });
    expect(only(standup())?.pullRequests).toMatchObject([{ number: "9", turn: 1, evidence: "command" }]);
  });

  it("has a pull request that two sessions of a branch name once, where the evidence is best", () => {
    store.put(
      {
        id: "asks",
        branch: "fix",
        turns: [{ user: "a", refs: [{ type: "pr", value: "9", mentioned: true }] }],
      },
      { id: "opens", branch: "fix", turns: [{ user: "b", refs: [{ type: "pr", value: "9" }] }] },
    );
    expect(only(standup())?.pullRequests).toMatchObject([{ number: "9", session: { id: "opens" } }]);
  });

  it("leaves turns that a fork inherited to their own session, and obeys the filter", () => {
    store.put(
      { id: "parent", turns: [{ user: "a" }] },
      { id: "child", branch: "other", turns: [{ user: "a" }, { user: "b" }] },
    );
    store.db.exec("INSERT INTO turn_copies VALUES ('child', 0, 'parent')");
    expect(standup().turns).toBe(2);
    const filtered = standup(undefined, undefined, {}, { branch: "other" });
    expect(filtered.repositories[0]?.branches).toMatchObject([{ branch: "other", turns: 1 }]);
  });
});

describe("open ends", () => {
  const end = (turn: object) => {
    store.put({ id: "s", turns: [{ user: "Do the thing", ...turn }] });
    return only(standup())?.openEnds.map(({ kind, text, turn: at }) => [kind, text, at]);
  };
  it.each([
    [
      "a question",
      { answer: "I see two ways.\n\nShall I take the first one?" },
      "asked",
      "Shall I take the first one?",
    ],
    [
      "a question with a list of answers",
      { answer: "Which database?\n\n1. SQLite. It is here.\n2. PostgreSQL." },
      "asked",
      "Which database?",
    ],
    ["a question in another script", { answer: "両方直しますか？" }, "asked", "両方直しますか？"],
    ["no answer", { answer: null }, "interrupted", "Do the thing"],
    [
      "a call that was interrupted",
      { calls: [{ label: "npm test", status: "interrupted" }] },
      "interrupted",
      "npm test",
    ],
    [
      "a call without a result",
      { calls: [{ label: "npm test", status: "pending" }] },
      "interrupted",
      "npm test",
    ],
    ["a last call that failed", { calls: [{ label: "npm test", status: "failed" }] }, "failed", "npm test"],
  ])("are found: %s", (_name, turn, kind, text) => {
    expect(end(turn)).toEqual([[kind, text, 0]]);
  });
  it.each([
    ["politeness", { answer: "Done. Anything else?" }],
    ["a question that the agent answers itself", { answer: "Why? Because the clock is shared." }],
    [
      "a failure that was repaired",
      { calls: [{ label: "npm test", status: "failed" }, { label: "npm test" }] },
    ],
    ["a search that found nothing", { calls: [{ label: "rg -n foo src", status: "failed" }] }],
    ["a session that is under way", { answer: null, at: "2026-11-15T11:55:00.000Z" }],
  ])("are not: %s", (_name, turn) => {
    expect(end(turn as object)).toEqual([]);
  });
});

describe("commits of git", () => {
  const own = (commit: string, branch?: string): OwnCommit => ({
    commit,
    subject: `Subject of ${commit.slice(0, 3)}`,
    at: "2026-11-14T10:00:00.000Z",
    ...(branch !== undefined && { branch }),
  });
  it("are merged with those of sessions, and the others are listed with their branches", () => {
    const made = `1a2b3c4${"0".repeat(33)}`;
    store.put({
      id: "s",
      branch: "fix",
      turns: [{ user: "a", refs: [{ type: "commit", value: "1a2b3c4" }] }],
    });
    const commits = { "/srv/shop": [own(made, "main"), own("f".repeat(40), "main")] };
    const [repository] = standup(undefined, undefined, commits).repositories;
    expect(
      repository?.branches.map(({ branch, sessions, commits: all }) => ({
        branch,
        sessions: sessions.length,
        commits: all.map(({ commit, subject, session }) => [commit.slice(0, 7), subject, session?.id]),
      })),
    ).toEqual([
      { branch: "fix", sessions: 1, commits: [["1a2b3c4", "Subject of 1a2", "s"]] },
      { branch: "main", sessions: 0, commits: [["fffffff", "Subject of fff", undefined]] },
    ]);
  });
});

it("takes keys and passwords out of all that people and agents wrote", () => {
  const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  store.put({
    id: "s",
    title: `Use ${key}`,
    turns: [{ user: "x", answer: `Set it to ${key}. Is ${key} right?` }],
  });
  expect(JSON.stringify(standup())).not.toContain(key);
});

it("leaves no table behind", () => {
  store.put({ id: "s", turns: [{ user: "x" }] });
  standup();
  expect(store.db.prepare("SELECT name FROM temp.sqlite_master").all()).toEqual([]);
});
