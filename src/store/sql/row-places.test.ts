import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { openStore } from "../open.ts";
import { createSessionStore } from "../session-store.ts";
import { placesOfRows } from "./row-places.ts";

let folder: string;
let db: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-places-"));
  db = openStore({ folder, now: () => new Date(), notice: () => undefined });
  const store = createSessionStore(db);
  store.begin();
  store.replace("s1").turn({ index: 0, user: "Hello", more: "", startedAt: "2026-11-01T10:00:00.000Z" });
  store.finish("s1", {
    session: {
      ...{ source: "vscode", id: "s1", title: "One", turns: 1, problems: 0, models: [] },
      ...{ path: "/x", bytes: 1, updatedAt: "2026-11-02T00:00:00.000Z" },
    },
    problems: [],
    mark: { fingerprint: { size: 1, mtimeMs: 1, ino: 1 } },
  });
  store.commit();
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  [["source", "session", "turn"], ["vscode", "s1", 0], { turn: 0, time: "2026-11-01T10:00:00.000Z" }],
  [["session_id", "turn_index"], ["s1", 0], { turn: 0, time: "2026-11-01T10:00:00.000Z" }],
  [["session_id", "first_seen_at"], ["s1", "2026-01-01T00:00:00Z"], { time: "2026-01-01T00:00:00Z" }],
  [["id", "cwd"], ["s1", "/srv"], { time: "2026-11-02T00:00:00.000Z" }],
])("knows the session of a row with %j", (columns, row, more) => {
  expect(placesOfRows(db, { columns, rows: [row], truncated: false })).toEqual([
    { source: "vscode", id: "s1", ...more },
  ]);
});

it.each([
  [["count(*)"], [3]],
  [
    ["source", "session"],
    ["vscode", "unknown"],
  ],
  [["source"], ["vscode"]],
  [["session_id"], [null]],
  [["id"], ["s1"]],
])("knows of none for %j %j", (columns, row) => {
  expect(placesOfRows(db, { columns, rows: [row], truncated: false })).toEqual([null]);
});
