/** What is counted once, while sessions are written, adds up to what counting every row anew gives. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import { openMemoryStore, openStore } from "../../src/store/open.ts";
import { createSessionStore } from "../../src/store/session-store.ts";
import { readWork } from "../../src/store/stats/stats.ts";
import { writeTally } from "../../src/store/stats/tally.ts";
import { createTallies } from "../../src/store/stats/tally-rows.ts";
import { countBothWays } from "./both-ways.ts";
import { actions, carryOut, EVERY_TIME, scopes } from "./made-up-work.ts";

let folder: string;
let db: Database;
const open = () => openStore({ folder, now: () => new Date(0), notice: () => undefined });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-tallies-"));
  db = open();
});
afterEach(() => {
  if (db.isOpen) db.close();
  rmSync(folder, { recursive: true, force: true });
});

const EVERYTHING = { filter: {}, cacheApart: ["claude-code"] };
const stored = () =>
  db
    .prepare("SELECT session_id, tally FROM session_tallies ORDER BY 1")
    .all()
    .map(({ session_id, tally }) => [session_id, tally]);
const recounted = () => {
  const tallies = createTallies(db);
  return db
    .prepare("SELECT id FROM sessions ORDER BY 1")
    .all()
    .map(({ id }) => [id, writeTally(tallies.fromRows(String(id)))]);
};

it("counts as the rows do, whatever was written, appended, removed, lost or broken off", () => {
  fc.assert(
    fc.property(fc.array(actions, { maxLength: 12 }), fc.array(scopes, { maxLength: 4 }), (all, asked) => {
      db.close();
      db = openMemoryStore(() => new Date(0));
      const store = createSessionStore(db);
      db.exec(
        "INSERT INTO session_tags (source, session, tag, tagged_at) VALUES ('claude-code', 'a', 'release', '')",
      );
      for (const action of all) carryOut(store, action);
      expect(stored()).toEqual(recounted());
      for (const scope of [EVERYTHING, ...asked]) {
        const { byTallies, byRows } = countBothWays(db, scope);
        expect(byTallies).toEqual(byRows);
      }
    }),
    { numRuns: 100 },
  );
});

const many = fc.sample(fc.array(actions, { minLength: 30, maxLength: 40 }), { numRuns: 1, seed: 7 })[0] ?? [];

it.each([
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "America/St_Johns",
])("agrees on days in %s", (zone) => {
  const store = createSessionStore(db);
  for (const action of [...many, EVERY_TIME]) carryOut(store, action);
  db.close();
  const child = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "in-zone.ts"), folder, JSON.stringify(EVERYTHING)],
    { encoding: "utf8", env: { ...process.env, TZ: zone } },
  );
  expect(child.stderr).toBe("");
  const { byTallies, byRows } = JSON.parse(child.stdout);
  expect(byTallies.day.length).toBeGreaterThan(5);
  expect(byTallies).toEqual(byRows);
});

it("counts the rows of sessions without a tally, and gives older stores theirs", () => {
  const store = createSessionStore(db);
  for (const action of many) carryOut(store, action);
  const [before, tallies] = [readWork(db, EVERYTHING), stored()];
  db.exec("DELETE FROM session_tallies");
  expect(readWork(db, EVERYTHING)).toEqual(before);
  db.exec("DROP TABLE session_tallies; DELETE FROM migrations WHERE id = '0024-tallies'");
  db.close();
  db = open();
  expect(stored()).toEqual(tallies);
});

it("looks at no row of calls, turns or files for a question", () => {
  const store = createSessionStore(db);
  for (const action of many) carryOut(store, action);
  db.exec("DELETE FROM turn_copies; DELETE FROM call_copies");
  const before = readWork(db, EVERYTHING);
  db.exec(
    "DELETE FROM turns; DELETE FROM tool_calls; DELETE FROM assistant_usage_events; DELETE FROM session_files",
  );
  expect(readWork(db, EVERYTHING)).toEqual(before);
});
