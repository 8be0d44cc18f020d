import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../fs/local.ts";
import { oldCopies } from "./copies.ts";
import { newCopy } from "./copy-name.ts";
import { toKeyValueDb } from "./key-value-db.ts";
import { changeValues, copyBetweenWrites, readValues } from "./key-values.ts";
import { SQLITE, sqliteCode } from "./sqlite.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-values-"));
  path = join(folder, "state.db");
  writeFileSync(path, toKeyValueDb("T", { a: "one", b: "two" }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const codeOf = (work: () => void): number | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return sqliteCode(error);
  }
};

it("stores texts as text, in the database's own journal mode, and leaves no file behind", () => {
  changeValues(
    path,
    "T",
    ["a"],
    (values) =>
      new Map([
        ["a", `${values.get("a")}!`],
        ["b", null],
        ["c", "new"],
      ]),
  );
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare("SELECT key, value, typeof(value) AS type FROM T ORDER BY key").all();
  const mode = db.prepare("PRAGMA journal_mode").get();
  const version = db.prepare("PRAGMA user_version").get();
  db.close();
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { key: "a", value: "one!", type: "text" },
    { key: "c", value: "new", type: "text" },
  ]);
  expect({ ...mode, ...version }).toEqual({ journal_mode: "delete", user_version: 1 });
  expect(readdirSync(folder)).toEqual(["state.db"]);
});

it("changes nothing when the decision fails", () => {
  const before = readFileSync(path);
  expect(() =>
    changeValues(path, "T", [], () => {
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(readFileSync(path)).toEqual(before);
});

it("copies bytes and mode, and changes neither the original nor its time", () => {
  chmodSync(path, 0o640);
  const [bytes, { mtimeMs }] = [readFileSync(path), statSync(path)];
  copyBetweenWrites(path, `${path}.copy`);
  expect(readFileSync(`${path}.copy`)).toEqual(bytes);
  expect(statSync(`${path}.copy`).mode & 0o777).toBe(0o640);
  expect([readFileSync(path), statSync(path).mtimeMs]).toEqual([bytes, mtimeMs]);
});

it("does not wait long for somebody who is writing", async () => {
  const hold = `const db = new (require("node:sqlite").DatabaseSync)(process.argv[1]);
    db.exec("BEGIN IMMEDIATE"); console.log("held"); setTimeout(() => db.close(), 60000)`;
  const child = spawn(process.execPath, ["-e", hold, path], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(child.stdout, "data");
    expect(codeOf(() => changeValues(path, "T", [], () => new Map()))).toBe(SQLITE.BUSY);
    expect(codeOf(() => copyBetweenWrites(path, `${path}.copy`))).toBe(SQLITE.BUSY);
    expect(existsSync(`${path}.copy`)).toBe(false);
  } finally {
    child.kill();
  }
});

it("makes no database where there is none", () => {
  const none = join(folder, "none.db");
  expect(codeOf(() => changeValues(none, "T", [], () => new Map()))).toBe(SQLITE.CANTOPEN);
  expect(existsSync(none)).toBe(false);
});

it("gives a blob as what it is", () => {
  const db = new DatabaseSync(path);
  db.prepare("INSERT INTO T VALUES ('blob', ?)").run(Buffer.from("x"));
  db.close();
  expect(readValues(path, "T", ["blob"]).get("blob")).toBeInstanceOf(Uint8Array);
});

it("names copies so that the newest three can be told by their names", async () => {
  const at = (second: number): Date => new Date(Date.UTC(2026, 10, 16, 5, 0, second));
  const copies: string[] = [];
  for (const second of [3, 1, 2, 2, 5]) {
    const copy = await newCopy(localFs, path, at(second));
    writeFileSync(copy, "");
    copies.push(copy);
  }
  expect(copies[0]).toBe(`${path}.rethread-20261116T050003000Z`);
  expect(new Set(copies).size).toBe(5);
  expect(oldCopies(path)).toEqual([copies[1], copies[2]]);
});
