/** However the index is walked through, and wherever the statements for few rows end, the same rows come out as the best. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { openStore } from "../open.ts";
import { createSessionStore } from "../session-store.ts";
import { findCandidates } from "./find.ts";
import { EVERYTHING } from "./scope.ts";

const now = new Date("2026-11-15T12:00:00Z");
const SESSIONS = 2100;
let folder: string;
let db: Database;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-find-"));
  db = openStore({ folder, now: () => now, notice: () => undefined });
  const store = createSessionStore(db);
  store.begin();
  for (let n = 0; n < SESSIONS; n++) {
    const id = `s${n}`;
    const rows = store.replace(id, now.getTime() - (SESSIONS - n) * 60_000);
    // The first ones say it most often, and are the oldest.
    const user = `plum pear${n < 5 ? " plum pear".repeat(5 - n) : ""}${n < 40 ? " quince apple" : ""} ${"other ".repeat(n % 7)}`;
    rows.turn({ index: 0, user, more: "" });
    const title = `cherry ${n < 30 ? "fig date" : ""}`;
    const session = { source: "copilot-cli", id, title, turns: 1, problems: 0, models: [] };
    store.finish(id, {
      session: { ...session, path: `/home/${id}`, bytes: 10, updatedAt: "2026-11-14T00:00:00Z" },
      problems: [],
      mark: { fingerprint: { size: 10, mtimeMs: 1, ino: 1 } },
    });
  }
  store.commit();
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ["more than the statement for both tables takes", '"plum" AND "pear"', 100],
  ["few turns", '"quince" AND "apple"', 40],
  ["few titles", '"fig" AND "date"', 30],
  ["none", '"plum" AND "fig"', 0],
])("finds the same with one statement or two: %s", (_, expression, count) => {
  const find = { expression, words: 2, scope: EVERYTHING, limit: 100 };
  const asked = findCandidates(db, { ...find, isNarrow: true });
  expect(asked).toHaveLength(count);
  expect(asked).toEqual(findCandidates(db, find));
});

it("weighs old turns that say much of several words, and of thousands of titles the newest", () => {
  const many = findCandidates(db, { expression: '"plum" AND "pear"', words: 2, scope: EVERYTHING, limit: 5 });
  expect(many.map(({ session }) => session).slice(0, 2)).toEqual(["s0", "s1"]);
  const titles = findCandidates(db, { expression: '"cherry"', words: 1, scope: EVERYTHING, limit: 3000 });
  expect(titles).toHaveLength(SESSIONS);
  const some = findCandidates(db, { expression: '"cherry"', words: 1, scope: EVERYTHING, limit: 100 });
  expect(some).toHaveLength(100);
  expect(some.some(({ session }) => Number(session.slice(1)) < 100)).toBe(false);
});
