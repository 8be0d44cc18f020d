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
import { afterEach, beforeEach, expect, it } from "vitest";
import { runChild } from "./child.ts";
import type { Database } from "./sqlite.ts";
import { lookUntouched } from "./sqlite-untouched.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const plain = { limits: {}, setup: "" };
const count = (db: Database): unknown => db.prepare("SELECT count(*) AS n FROM t").get()?.n;
const look = (path: string): unknown => lookUntouched(path, plain, count);
/** In another process, as in life: connections of one process share their view of the log. */
const lookElsewhere = async (path: string): Promise<string> => {
  const module = JSON.stringify(join(import.meta.dirname, "sqlite-untouched.ts"));
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
/** The files of a writer that was killed: its log is there, and nobody is. */
function makeCrashed(): string {
  const elsewhere = mkdtempSync(join(tmpdir(), "rethread-test-"));
  const { db, path } = makeWal();
  for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(elsewhere, name));
  db.close();
  for (const name of readdirSync(elsewhere)) copyFileSync(join(elsewhere, name), join(folder, name));
  rmSync(elsewhere, { recursive: true });
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

it("makes nothing but the index of a log that has lost it", () => {
  const path = makeCrashed();
  rmSync(`${path}-shm`);
  const before = bytes();
  expect(look(path)).toBe(1);
  const { "store.db-shm": index, ...after } = bytes();
  expect({ after, index: index !== undefined }).toEqual({ after: before, index: true });
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
