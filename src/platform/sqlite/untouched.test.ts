import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runChild } from "../process/child.ts";
import { type Database, SQLITE } from "./sqlite.ts";
import { lookUntouched } from "./untouched.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-test-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const plain = { limits: {}, setup: "" };
const count = (db: Database): unknown => db.prepare("SELECT count(*) AS n FROM t").get()?.n;
const look = (path: string): unknown => lookUntouched(path, plain, count);
/** In another process, as in life: connections of one process share their view of the log. */
const lookElsewhere = async (path: string): Promise<string> => {
  const module = JSON.stringify(join(import.meta.dirname, "untouched.ts"));
  const code = `import { lookUntouched } from ${module};
    const n = lookUntouched(${JSON.stringify(path)}, { limits: {}, setup: "" }, (db) => db.prepare("SELECT count(*) AS n FROM t").get().n);
    console.log(n);`;
  const { stdout, stderr } = await runChild(
    [process.execPath, "--input-type=module", "-e", code],
    "",
    20_000,
  );
  return stdout + stderr;
};
const bytes = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString("base64")]),
  );

function makeWal(name = "store.db"): { path: string; db: DatabaseSync } {
  const path = join(folder, name);
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1);");
  return { path, db };
}
/** The files as they are now, as if the writer were killed: its log is there, and nobody is. */
function crash(db: DatabaseSync): void {
  const elsewhere = mkdtempSync(join(tmpdir(), "rethread-test-"));
  for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(elsewhere, name));
  db.close();
  for (const name of readdirSync(elsewhere)) copyFileSync(join(elsewhere, name), join(folder, name));
  rmSync(elsewhere, { recursive: true });
}
function makeCrashed(): string {
  const { db, path } = makeWal();
  crash(db);
  return path;
}
/** A write that reached the main file in part, and the journal by which it is undone. */
function makeHalfWritten(): string {
  const path = join(folder, "store.db");
  const db = new DatabaseSync(path);
  db.exec(`
    CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(200000));
    PRAGMA cache_size = 2; BEGIN; UPDATE t SET a = 'half'; INSERT INTO t VALUES (randomblob(200000));
  `);
  crash(db);
  return path;
}

it("changes nothing beside a closed database, whatever is in its name", () => {
  const { path, db } = makeWal("100% a?b#c ü.db");
  db.close();
  const before = bytes();
  expect(look(path)).toBe(1);
  expect(bytes()).toEqual(before);
});

it("changes nothing beside a database that a writer has open, and sees what it last wrote", async () => {
  const { path, db } = makeWal();
  for (let row = 2; row <= 4; row++) {
    db.exec(`INSERT INTO t VALUES (${row})`);
    const before = bytes();
    expect(await lookElsewhere(path)).toBe(`${row}\n`);
    expect(bytes()).toEqual(before);
  }
  db.close();
});

it("changes nothing beside a database whose writer was killed, and sees what it last wrote", () => {
  const path = makeCrashed();
  const before = bytes();
  expect(look(path)).toBe(1);
  expect(bytes()).toEqual(before);
});

it("changes nothing beside a log that has lost its index, and leaves no copy behind", () => {
  const path = makeCrashed();
  rmSync(`${path}-shm`);
  const before = bytes();
  const copies = mkdtempSync(join(tmpdir(), "rethread-test-"));
  vi.stubEnv("TMPDIR", copies);
  expect(look(path)).toBe(1);
  expect({ after: bytes(), copies: readdirSync(copies) }).toEqual({ after: before, copies: [] });
  rmSync(copies, { recursive: true });
});

it("changes nothing beside a database with half a write in it, and sees what was there before", () => {
  const path = makeHalfWritten();
  const before = bytes();
  expect(Object.keys(before)).toEqual(["store.db", "store.db-journal"]);
  const seen = lookUntouched(path, plain, (db) => db.prepare("SELECT length(a) AS n FROM t").all());
  expect(seen).toEqual([{ n: 200_000 }]);
  expect(bytes()).toEqual(before);
});

it("sees what was last written though a writer keeps everybody out", () => {
  const { path, db } = makeWal();
  db.exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  expect(look(path)).toBe(1);
  db.close();
});

it("says that a database is busy when it never holds still", () => {
  const { path, db } = makeWal();
  db.close();
  const disturb = (): void => {
    const writer = new DatabaseSync(path);
    writer.exec("INSERT INTO t VALUES (2)");
    writer.close();
  };
  expect(() => lookUntouched(path, plain, disturb)).toThrow(
    expect.objectContaining({ message: "database is locked", errcode: SQLITE.BUSY }),
  );
});

it("follows a link to where the log is", () => {
  const { db } = makeWal();
  const links = join(folder, "links");
  mkdirSync(links);
  symlinkSync(join(folder, "store.db"), join(links, "store.db"));
  expect(look(join(links, "store.db"))).toBe(1);
  db.close();
});

it("looks again when somebody wrote meanwhile", () => {
  const { path, db } = makeWal();
  db.close();
  const seen: unknown[] = [];
  const result = lookUntouched(path, plain, (reader) => {
    seen.push(count(reader));
    if (seen.length === 1) {
      const writer = new DatabaseSync(path);
      writer.exec("INSERT INTO t VALUES (2)");
      writer.close(); // brings the log into the main file
      throw new Error("torn");
    }
    return count(reader);
  });
  expect({ seen, result }).toEqual({ seen: [1, 2], result: 2 });
});

it("keeps one state while it looks, though a writer goes on", () => {
  const { path, db } = makeWal();
  const counts = lookUntouched(path, plain, (reader) => {
    const first = count(reader);
    db.exec("INSERT INTO t VALUES (2)");
    return [first, count(reader)];
  });
  db.close();
  expect(counts).toEqual([1, 1]);
});

it("cannot write, and makes no file that is not there", () => {
  const { path, db } = makeWal();
  db.close();
  expect(() => lookUntouched(path, plain, (reader) => reader.exec("DELETE FROM t"))).toThrow(/readonly/);
  expect(() => look(join(folder, "missing.db"))).toThrow(/unable to open/);
  expect(readdirSync(folder)).toEqual(["store.db"]);
});
