import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { imageOf } from "../platform/sqlite/sqlite.ts";
import { type OpenScratch, openScratchStore, openStore } from "./open.ts";
import { createSessionStore } from "./session-store.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
let folder: string;
let scratch: OpenScratch;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-scratch-"));
  scratch = openScratchStore(folder, now);
});
afterEach(() => {
  scratch.discard();
  rmSync(folder, { recursive: true, force: true });
});

it("writes the words of a transaction in one piece, whatever rows come in between", () => {
  const store = createSessionStore(scratch.db);
  store.begin();
  const rows = store.replace("a");
  const words = "the cart total is off by a cent ".repeat(10_000);
  for (let index = 0; index < 12; index++) {
    for (let call = 0; call < 20; call++)
      rows.toolCall({ turn: index, name: "bash", status: "ok", subAgent: false });
    rows.usage({ model: "gpt-5.4", turn: index });
    rows.file({ path: `/srv/${index}`, tool: "edit", action: "edited", evidence: "tool", turn: index });
    rows.turn({ index, user: words, more: "" });
  }
  store.commit();
  const pieces = scratch.db.prepare("SELECT count(DISTINCT segid) AS n FROM search_index_idx").get()?.n;
  expect(pieces).toBe(1);
});

it("counts the problems of a session without reading those of all others", () => {
  const plan = scratch.db
    .prepare("EXPLAIN QUERY PLAN SELECT DISTINCT code FROM problems WHERE session_id = ?")
    .all("a")
    .map(({ detail }) => String(detail));
  expect(plan[0]).toMatch(/^SEARCH problems USING INDEX/);
});

it("begins as an empty store that there is, and is written without a journal all the same", async () => {
  const old = openStore({ folder, now, notice: () => undefined });
  old.exec("INSERT INTO tag_marks VALUES ('kept')");
  const image = imageOf(old);
  old.close();
  scratch.discard();
  scratch = openScratchStore(folder, now, image);
  expect(scratch.db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "off" });
  expect(scratch.db.prepare("SELECT mark FROM tag_marks").all()).toEqual([{ mark: "kept" }]);
  await scratch.replaceStore();
  const db = openStore({ folder, now, notice: () => undefined });
  expect(db.prepare("SELECT mark FROM tag_marks").all()).toEqual([{ mark: "kept" }]);
  db.close();
});

it("keeps no journal, and the store that it becomes has one", async () => {
  expect(scratch.db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "off" });
  await scratch.replaceStore();
  const db = openStore({ folder, now, notice: () => undefined });
  expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  db.close();
});
