/** Reports stay quick because they never pass over the text of all turns, nor over all tool calls. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { createReportStore, REPORT_NOW, type ReportStore } from "../../../test/report-store.ts";
import { runs, session, turn } from "../../../test/tips/case.ts";
import { readLessonRows } from "../../chronicle/improve/lessons.ts";
import { readStandup } from "../../chronicle/standup/standup.ts";
import { readHabits } from "../../chronicle/tips/habits.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";

let store: ReportStore;
beforeEach(() => {
  store = createReportStore();
  store.put(
    session("a", [runs("Test", "!npm test", "pnpm test"), turn("Revert that", { model: "claude-opus-4.5" })]),
    session("b", [runs("Test", "!npm test", "pnpm test")]),
  );
});
afterEach(() => store.remove());

const SCOPE = { filter: {}, since: "2026-11-01", until: "2026-12-01" };

/** Notes how SQLite will answer each query, as it is prepared. */
function explained(db: Database): { readonly db: Database; readonly plans: string[] } {
  const plans: string[] = [];
  const prepare = (sql: string) => {
    if (/^\s*(?:SELECT|INSERT)/.test(sql))
      for (const { detail } of db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()) plans.push(String(detail));
    return db.prepare(sql);
  };
  const spy = new Proxy(db, {
    get(target, name) {
      if (name === "prepare") return prepare;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { db: spy, plans };
}

it.each([
  ["standup", (db: Database) => readStandup(db, SCOPE)],
  ["tips", (db: Database) => readHabits(db, SCOPE, REPORT_NOW)],
  ["improve", (db: Database) => readLessonRows(db, SCOPE)],
])("%s looks rows up by session", (_name, read) => {
  const { db, plans } = explained(store.db);
  read(db);
  expect(plans.length).toBeGreaterThan(5);
  // An alias stands for its table; these are the ones that reports have for turns, calls and model calls.
  const passing = plans.filter((plan) => /^SCAN (?:t|k|c|e|u|turns|call_rows|usage_rows)\b/.test(plan));
  expect(new Set(passing)).toEqual(
    new Set([
      "SCAN t USING COVERING INDEX idx_turns_time",
      ...passing.filter((plan) => /^SCAN u$/.test(plan)),
    ]),
  );
});
