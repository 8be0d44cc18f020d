import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Problem } from "../model/problem.ts";
import type { Artifact } from "../model/session/session.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { openStore } from "./open.ts";
import { createSessionStore, type SessionStore } from "./session-store.ts";

let folder: string;
let db: Database;
let store: SessionStore;
const artifact: Artifact = {
  source: "vscode",
  id: "a",
  root: "/home",
  path: "/home/a",
  fingerprint: { size: 1, mtimeMs: 1, ino: 1 },
};
const problem = (code: Problem["code"], more: Partial<Problem> = {}): Problem => ({
  code,
  source: "vscode",
  session: "a",
  path: "/home/a",
  message: code,
  ...more,
});
const index = (problems: readonly Problem[]): void => {
  store.begin();
  store.replace("a");
  const { source, id, path, fingerprint } = artifact;
  const session = { source, id, path, title: "a", turns: 0, models: [], bytes: 1, problems: problems.length };
  store.finish("a", { session, problems, mark: { fingerprint } });
  store.commit();
};
const noted = () => ({
  count: db.prepare("SELECT problem_count AS n FROM sessions").get()?.n,
  rows: db
    .prepare("SELECT code, found_by FROM problems ORDER BY id")
    .all()
    .map((row) => `${row.found_by} ${row.code}`),
});
const writes = () => db.prepare("SELECT total_changes() AS n").get()?.n;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-problems-"));
  db = openStore({ folder, now: () => new Date(0), notice: () => undefined });
  store = createSessionStore(db);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

it("counts what the scan saw with what the reading met, the same thing once and oddities not at all", () => {
  const orphaned = problem("session-orphaned");
  index([problem("record-torn", { line: 3 }), orphaned, problem("record-unknown", { line: 2 })]);
  store.noteScan(new Map([[artifact, [orphaned, problem("session-hidden"), problem("twin-stale")]]]), [
    "vscode",
  ]);
  expect(noted().count).toBe(3);
});

it("forgets what the next scan no longer sees, and leaves other sources alone", () => {
  index([]);
  store.noteScan(new Map([[artifact, [problem("session-orphaned")]]]), ["vscode"]);
  store.noteScan(new Map(), ["claude-code"]);
  expect(noted()).toEqual({ count: 1, rows: ["scan session-orphaned"] });
  store.noteScan(new Map(), ["vscode"]);
  expect(noted()).toEqual({ count: 0, rows: [] });
});

it("tells a session that was read again what the scan saw, though that is no news", () => {
  index([]);
  const seen = new Map([[artifact, [problem("session-orphaned")]]]);
  store.noteScan(seen, ["vscode"]);
  index([]);
  store.noteScan(seen, ["vscode"]);
  expect(noted()).toEqual({ count: 1, rows: ["scan session-orphaned"] });
});

it("writes nothing when a scan sees what the last one saw", () => {
  index([]);
  const seen = new Map([[artifact, [problem("session-orphaned"), problem("session-hidden")]]]);
  store.noteScan(seen, ["vscode"]);
  const before = writes();
  store.noteScan(seen, ["vscode"]);
  expect(writes()).toBe(before);
});
