import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { copyInto, type Database, openDatabase, SQLITE, sqliteCode, transaction } from "./sqlite.ts";

let folder: string;
let source: Database;
let target: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-sqlite-"));
  source = openDatabase(join(folder, "source.db"));
  source.exec("CREATE TABLE t (x); INSERT INTO t VALUES ('new')");
  target = openDatabase(join(folder, "target.db"));
  target.exec("CREATE TABLE t (x); INSERT INTO t VALUES ('old')");
});
afterEach(() => {
  source.close();
  target.close();
  rmSync(folder, { recursive: true, force: true });
});
const rows = () =>
  target
    .prepare("SELECT x FROM t")
    .all()
    .map((row) => row.x);

it("replaces a database under the eyes of whoever has it open", async () => {
  await copyInto(source, join(folder, "target.db"));
  expect(rows()).toEqual(["new"]);
});

it("waits for a writer to finish", async () => {
  target.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES ('late')");
  const copied = copyInto(source, join(folder, "target.db"));
  setTimeout(() => target.exec("COMMIT"), 200);
  await copied;
  expect(rows()).toEqual(["new"]);
});

it("gives up as busy when the writer never finishes", async () => {
  target.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES ('late')");
  const failed = await copyInto(source, join(folder, "target.db"), 100).catch((error: unknown) => error);
  expect(sqliteCode(failed)).toBe(SQLITE.BUSY);
  target.exec("ROLLBACK");
  expect(rows()).toEqual(["old"]);
});

it("is opened while another process makes it", async () => {
  const path = join(folder, "new.db");
  const making = `const db = new (require("node:sqlite").DatabaseSync)(process.argv[1]);
    db.exec("BEGIN IMMEDIATE; CREATE TABLE made (x)");
    require("node:fs").writeSync(1, "making");
    setTimeout(() => db.exec("COMMIT"), 200);`;
  const child = spawn(process.execPath, ["-e", making, path], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  const db = openDatabase(path);
  try {
    expect(db.prepare("SELECT count(*) AS n FROM made").get()).toEqual({ n: 0 });
    expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  } finally {
    db.close();
    await ended;
  }
});

it("undoes a transaction that fails", () => {
  expect(() =>
    transaction(target, () => {
      target.exec("INSERT INTO t VALUES ('half')");
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(rows()).toEqual(["old"]);
});
