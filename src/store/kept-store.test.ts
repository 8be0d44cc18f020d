import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createKeptStore } from "./kept-store.ts";
import { openStore, storePath } from "./open.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
let folder: string;
const options = () => ({ folder, now, notice: () => undefined });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-kept-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

it("lends the same connection again, but never to two at once", () => {
  const kept = createKeptStore();
  const first = kept.take(options());
  const second = kept.take(options());
  expect(second).not.toBe(first);
  kept.giveBack(first);
  kept.giveBack(second);
  expect([first.isOpen, second.isOpen]).toEqual([true, false]);
  expect(kept.take(options())).toBe(first);
  first.close();
});

it("lets go of what nobody asked for in a while, and of everything at the end", () => {
  vi.useFakeTimers();
  const kept = createKeptStore(1000);
  const db = kept.take(options());
  kept.giveBack(db);
  vi.advanceTimersByTime(900);
  kept.giveBack(kept.take(options()));
  vi.advanceTimersByTime(900);
  expect(db.isOpen).toBe(true);
  vi.advanceTimersByTime(200);
  expect(db.isOpen).toBe(false);
  const last = kept.take(options());
  kept.giveBack(last);
  kept.close();
  expect([last.isOpen, vi.getTimerCount()]).toEqual([false, 0]);
  const late = kept.take(options());
  kept.giveBack(late);
  expect(late.isOpen).toBe(false);
});

it("opens the store that is there, and not the one that was", () => {
  const kept = createKeptStore();
  const old = kept.take(options());
  kept.giveBack(old);
  renameSync(storePath(folder), join(folder, "elsewhere"));
  const other = openStore(options());
  other.exec("CREATE TABLE mark (x)");
  const db = kept.take(options());
  expect(old.isOpen).toBe(false);
  expect(db.prepare("SELECT name FROM sqlite_master WHERE name = 'mark'").get()).toEqual({ name: "mark" });
  // Closing the old one must not have taken the log of the new one with it.
  expect(other.prepare("SELECT count(*) AS n FROM mark").get()).toEqual({ n: 0 });
  other.close();
  db.close();
});

it("sees what others write, and stops where a newer version has written", () => {
  const kept = createKeptStore();
  const db = kept.take(options());
  kept.giveBack(db);
  const other = openStore(options());
  other.exec("INSERT INTO folders (folder, told) VALUES ('/x', '/x/.git')");
  expect(kept.take(options()).prepare("SELECT folder FROM folders").all()).toEqual([{ folder: "/x" }]);
  kept.giveBack(db);
  other.exec("INSERT INTO migrations VALUES ('9999-later', '2027-01-01')");
  other.close();
  expect(() => kept.take(options())).toThrow(expect.objectContaining({ code: "store-newer" }));
  expect(db.isOpen).toBe(false);
});

it("does not keep a connection on which a transaction is open", () => {
  const kept = createKeptStore();
  const db = kept.take(options());
  db.exec("BEGIN");
  kept.giveBack(db);
  expect(db.isOpen).toBe(false);
});
