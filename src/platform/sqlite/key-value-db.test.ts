import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { toKeyValueDb } from "./key-value-db.ts";
import { peek } from "./untouched.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("makes a database whose values are text, whatever the column is declared as", () => {
  const path = join(folder, "state.db");
  writeFileSync(path, toKeyValueDb("Items", { "a.key": '{"n":1}', umlaut: "größer" }));
  const rows = peek(path, (db) =>
    db.prepare('SELECT key, value, typeof(value) AS kind FROM "Items" ORDER BY key').all(),
  );
  expect(rows).toEqual([
    { key: "a.key", value: '{"n":1}', kind: "text" },
    { key: "umlaut", value: "größer", kind: "text" },
  ]);
});

it("makes the same bytes from the same rows", () => {
  expect(toKeyValueDb("Items", { a: "1" })).toEqual(toKeyValueDb("Items", { a: "1" }));
});
