import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Session } from "../../model/session/session.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { openStore } from "../open.ts";
import type { RowSink } from "../rows.ts";
import { createSessionStore } from "../session-store.ts";
import { divide, divideByFile, divideByModel, divideByTool, readWork, type StatsScope } from "./stats.ts";

let folder: string;
let db: Database;
const SCOPE: StatsScope = { filter: {}, cacheApart: ["apart"] };
/** Noon, so that the day is the same wherever the test runs. */
const noon = (day: string): string => `${day}T12:00:00.000Z`;

function put(id: string, head: Partial<Session>, write: (rows: RowSink) => void): void {
  const store = createSessionStore(db);
  store.begin();
  write(store.replace(id));
  const session = {
    source: "one",
    id,
    title: id,
    turns: 1,
    problems: 0,
    models: [],
    path: `/p/${id}`,
    bytes: 1,
  };
  store.finish(id, {
    session: { ...session, ...head },
    problems: [],
    mark: { fingerprint: { size: 1, mtimeMs: 1, ino: 1 } },
  });
  store.commit();
}
const turn = (index: number, startedAt?: string) => ({
  index,
  user: "x",
  more: "",
  ...(startedAt !== undefined && { startedAt }),
});
const call = (name: string, at: number | undefined, status: "ok" | "failed" = "ok") =>
  ({ turn: at, name, status, subAgent: false }) as const;
const file = (path: string, action: "edited" | "read", at: number) =>
  ({ path, tool: "t", action, turn: at, evidence: "tool" }) as const;
const gist = (shares: readonly { key: string | null; sessions: number; turns: number }[]) =>
  shares.map(({ key, sessions, turns }) => `${key}: ${sessions} sessions, ${turns} turns`);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-stats-"));
  db = openStore({ folder, now: () => new Date(0), notice: () => undefined });
  put("a", { workspace: "/srv/shop", repository: "acme/shop", turns: 3, models: ["m1"] }, (rows) => {
    rows.turn(turn(0, noon("2026-11-02")));
    rows.turn(turn(1, noon("2026-11-02")));
    rows.turn(turn(2, noon("2026-11-10")));
    rows.toolCall(call("bash", 0));
    rows.toolCall(call("bash", 2, "failed"));
    rows.toolCall(call("edit", 2));
    rows.file(file("src/a.ts", "edited", 2));
    rows.file(file("src/b.ts", "read", 0));
    rows.usage({ turn: 0, model: "m1", input: 100, output: 5, cached: 40 });
    rows.usage({ turn: 2, model: "m1", input: 200, output: 7 });
  });
  put(
    "b",
    { source: "apart", workspace: "/srv/shop", repository: "Acme/shop", turns: 1, models: ["m2"] },
    (rows) => {
      rows.turn(turn(0, noon("2026-11-10")));
      rows.toolCall(call("Bash", 0));
      rows.file(file("src/a.ts", "read", 0));
      rows.usage({ turn: 0, model: "m2", input: 3, output: 2, cached: 1000, cacheWritten: 20 });
    },
  );
  put(
    "c",
    { workspace: "/srv/infra", turns: 0, updatedAt: noon("2026-10-31"), models: ["m1"] },
    () => undefined,
  );
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

it("adds up everything once, with cached tokens as a part of the input whichever way they were counted", () => {
  expect(divide(readWork(db, SCOPE), "whole")).toEqual([
    {
      key: "",
      sessions: 3,
      turns: 4,
      toolCalls: 4,
      failedCalls: 1,
      files: 2,
      modelCalls: 3,
      inputTokens: 100 + 200 + 3 + 1000 + 20,
      cachedTokens: 1040,
      outputTokens: 14,
    },
  ]);
});

it("divides by day, week from Monday, and month, by when each turn was", () => {
  const by = (division: "day" | "week" | "month") => gist(divide(readWork(db, SCOPE), division));
  expect(by("day")).toEqual([
    "2026-10-31: 1 sessions, 0 turns",
    "2026-11-02: 1 sessions, 2 turns",
    "2026-11-10: 2 sessions, 2 turns",
  ]);
  expect(by("week")).toEqual([
    "2026-10-26: 1 sessions, 0 turns",
    "2026-11-02: 1 sessions, 2 turns",
    "2026-11-09: 2 sessions, 2 turns",
  ]);
  expect(by("month")).toEqual(["2026-10: 1 sessions, 0 turns", "2026-11: 2 sessions, 4 turns"]);
});

it("counts a session for its repository, however it is spelled on GitHub, or for its folder", () => {
  expect(gist(divide(readWork(db, SCOPE), "repository"))).toEqual([
    "/srv/infra: 1 sessions, 0 turns",
    "Acme/shop: 2 sessions, 4 turns",
  ]);
  const shop = { ...SCOPE, filter: { repository: "shop" } };
  expect(gist(divide(readWork(db, shop), "source"))).toEqual([
    "apart: 1 sessions, 1 turns",
    "one: 1 sessions, 3 turns",
  ]);
});

it("counts what was done in a period, however long the session went on", () => {
  const scope = { ...SCOPE, since: noon("2026-11-09"), until: noon("2026-11-30") };
  const work = readWork(db, scope);
  expect(divide(work, "source")).toMatchObject([
    { key: "apart", turns: 1, toolCalls: 1, inputTokens: 1023 },
    { key: "one", sessions: 1, turns: 1, toolCalls: 2, failedCalls: 1, files: 1, inputTokens: 200 },
  ]);
  expect(divideByTool(work)).toEqual([
    { tool: "Bash", names: ["Bash", "bash"], sessions: 2, toolCalls: 2, failedCalls: 1 },
    { tool: "edit", names: ["edit"], sessions: 1, toolCalls: 1, failedCalls: 0 },
  ]);
  expect(divideByFile(work)).toEqual([
    { path: "src/a.ts", sessions: 2, changedIn: 1, lastAt: noon("2026-11-10") },
  ]);
  expect(divideByModel(work).map(({ model, modelCalls }) => [model, modelCalls])).toEqual([
    ["m1", 1],
    ["m2", 1],
  ]);
});

it("counts sessions for their models even where no call of them was counted", () => {
  expect(divideByModel(readWork(db, SCOPE))).toEqual([
    {
      ...{ model: "m1", names: ["m1"], sessions: 2, modelCalls: 2, inputTokens: 300, cachedTokens: 40 },
      ...{ cacheWrittenTokens: 0, outputTokens: 12 },
    },
    {
      ...{ model: "m2", names: ["m2"], sessions: 1, modelCalls: 1, inputTokens: 1023, cachedTokens: 1000 },
      ...{ cacheWrittenTokens: 20, outputTokens: 2 },
    },
  ]);
});

it("counts the spellings of a model as one, and a session once that has several", () => {
  const models = ["claude-sonnet-4-5-20250929", "copilot/claude-sonnet-4.5"];
  put("d", { turns: 1, models }, (rows) => {
    rows.turn(turn(0, noon("2026-11-11")));
    for (const model of models) rows.usage({ turn: 0, model, input: 10, output: 1 });
  });
  const found = divideByModel(readWork(db, SCOPE)).find(({ names }) => names.length > 1);
  expect(found).toMatchObject({
    model: "claude-sonnet-4.5",
    names: models,
    sessions: 1,
    modelCalls: 2,
    inputTokens: 20,
  });
});

it("only reads", () => {
  const before = db.prepare("SELECT total_changes() AS n").get();
  readWork(db, SCOPE);
  expect(db.prepare("SELECT total_changes() AS n").get()).toEqual(before);
  expect(db.prepare("SELECT name FROM temp.sqlite_master").all()).toEqual([]);
});
