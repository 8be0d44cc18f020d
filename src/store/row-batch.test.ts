import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { createRowBatch } from "./row-batch.ts";

function openTable() {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, size INTEGER)");
  const rows = () => db.prepare("SELECT name, size FROM things ORDER BY id").all();
  return { batch: createRowBatch(db, "things", ["name", "size"]), rows };
}

it.each([0, 1, 15, 16, 17, 40])("writes %i rows, all of them and in order", (count) => {
  const { batch, rows } = openTable();
  const added = Array.from({ length: count }, (_, i) => ({ name: `row ${i}`, size: i % 3 === 0 ? null : i }));
  for (const { name, size } of added) batch.add(name, size);
  batch.flush();
  batch.flush();
  expect(rows()).toEqual(added);
});

it("forgets what was not written, and goes on", () => {
  const { batch, rows } = openTable();
  batch.add("lost", 1);
  batch.forget();
  batch.add("kept", 2);
  batch.flush();
  expect(rows()).toEqual([{ name: "kept", size: 2 }]);
});
