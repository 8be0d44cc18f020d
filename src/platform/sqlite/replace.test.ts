import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { renameOver } from "./replace.ts";
import { type Database, openDatabase, openScratchDatabase } from "./sqlite.ts";

let folder: string;
let [from, to] = ["", ""];
let scratch: Database;
const opened: Database[] = [];
const keep = <T extends Database>(db: T): T => {
  opened.push(db);
  return db;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-replace-"));
  [from, to] = [join(folder, "new.db"), join(folder, "store.db")];
  scratch = openScratchDatabase(from);
  scratch.exec("CREATE TABLE t (x); INSERT INTO t VALUES ('new')");
  const old = openDatabase(to);
  old.exec("CREATE TABLE t (x); INSERT INTO t VALUES ('old')");
  old.close();
});
afterEach(() => {
  for (const db of opened.splice(0)) if (db.isOpen) db.close();
  rmSync(folder, { recursive: true, force: true });
});
const rows = (db: Database) =>
  db
    .prepare("SELECT x FROM t")
    .all()
    .map(({ x }) => x);

it.skipIf(process.platform === "win32")("takes the place of a database that nobody has open", () => {
  const { ino } = statSync(from);
  expect(renameOver(scratch, from, to)).toBe(true);
  expect([readdirSync(folder), statSync(to).ino]).toEqual([["store.db"], ino]);
  const db = keep(openDatabase(to));
  expect([rows(db), db.prepare("PRAGMA journal_mode").get()]).toEqual([["new"], { journal_mode: "wal" }]);
});

it("leaves alone what another connection has open, even if that only reads", () => {
  const reader = keep(openDatabase(to));
  expect(renameOver(scratch, from, to)).toBe(false);
  expect([rows(reader), scratch.isOpen]).toEqual([["old"], false]);
  reader.exec("INSERT INTO t VALUES ('more')");
  reader.close();
  expect(rows(keep(openDatabase(to)))).toEqual(["old", "more"]);
  expect(rows(keep(openDatabase(from)))).toEqual(["new"]);
});

it.skipIf(process.platform === "win32")("lets who opened the old file a moment before spoil nothing", () => {
  // SQLite opens the file at once, and asks for locks when something is asked of it.
  const late = keep(new DatabaseSync(to));
  const later = keep(new DatabaseSync(to));
  expect(renameOver(scratch, from, to)).toBe(true);
  expect(() => late.exec("PRAGMA journal_mode = WAL")).toThrow(/readonly/);
  const db = keep(openDatabase(to));
  db.exec("INSERT INTO t VALUES ('more')");
  try {
    later.prepare("SELECT count(*) FROM t").get();
  } catch {
    // It may find the log of another database beside its own; `openDatabase` does not give it out.
  }
  later.close();
  late.close();
  expect(rows(db)).toEqual(["new", "more"]);
  expect(rows(keep(openDatabase(to)))).toEqual(["new", "more"]);
});

it.skipIf(process.platform === "win32")(
  "opens the new database where it waited for the old one",
  async () => {
    scratch.exec("PRAGMA journal_mode = WAL");
    scratch.close();
    // Another process, which does what `renameOver` does, but takes its time.
    const slowly = `const { DatabaseSync } = require("node:sqlite");
    const [from, to] = process.argv.slice(1);
    const old = new DatabaseSync(to);
    old.exec("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    require("node:fs").writeSync(1, "locked");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    require("node:fs").renameSync(from, to);
    old.close();`;
    const child = spawn(process.execPath, ["-e", slowly, from, to], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    const db = keep(openDatabase(to));
    expect(rows(db)).toEqual(["new"]);
    await ended;
  },
);

it("is what the last of several processes made, each of which renames or copies", async () => {
  scratch.close();
  const modules = ["replace.ts", "sqlite.ts"].map((name) => join(import.meta.dirname, name));
  const often = `const [to, replace, sqlite] = process.argv.slice(1);
    const { renameOver } = await import(replace);
    const { copyInto, openDatabase, openExisting, openScratchDatabase } = await import(sqlite);
    for (let round = 0; round < 60; round++) {
      const from = to + "." + process.pid + "-" + round;
      const db = openScratchDatabase(from);
      db.exec("CREATE TABLE t (x); INSERT INTO t VALUES ('new')");
      openDatabase(to).close();
      if (!renameOver(db, from, to)) await copyInto(openExisting(from), to);
    }`;
  const each = ["--no-warnings", "--input-type=module", "-e", often, to, ...modules];
  const ends = [1, 2, 3].map(async () => {
    const child = spawn(process.execPath, each, { stdio: ["ignore", "ignore", "pipe"] });
    const said: Buffer[] = [];
    child.stderr.on("data", (piece) => said.push(piece));
    const [code] = await once(child, "close");
    return { code, said: String(Buffer.concat(said)) };
  });
  expect(await Promise.all(ends)).toEqual([1, 2, 3].map(() => ({ code: 0, said: "" })));
  const db = keep(openDatabase(to));
  expect([rows(db), db.prepare("PRAGMA integrity_check").get()]).toEqual([
    ["new"],
    { integrity_check: "ok" },
  ]);
});

it.skipIf(process.platform !== "linux")(
  "keeps the lock of a connection when the same process opens the database again",
  () => {
    const { ino } = statSync(to);
    const locks = () =>
      readFileSync("/proc/locks", "utf8")
        .split("\n")
        .filter((lock) => lock.includes(` ${process.pid} `) && lock.includes(`:${ino} `)).length;
    keep(openDatabase(to));
    expect(locks()).toBe(1);
    keep(openDatabase(to)).close();
    expect(locks()).toBe(1);
  },
);
