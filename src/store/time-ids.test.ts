import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { openMemoryStore } from "./open.ts";
import { createTimeIds } from "./time-ids.ts";

const at = (time: string): string => `2026-10-01T${time}.000Z`;
let db: Database;
beforeEach(() => {
  db = openMemoryStore(() => new Date());
});
afterEach(() => db.close());

const add = (id: number): number => {
  db.prepare("INSERT INTO turns (id, session_id, turn_index) VALUES (?, 'one', ?)").run(id, id);
  return id;
};

it("gives ids that grow with time, whatever order they are asked for in", () => {
  db.exec("PRAGMA foreign_keys = OFF");
  const ids = createTimeIds(db, "turns");
  const [late, early, between] = ["12:00:00", "10:00:00", "11:00:00"].map((time) => add(ids.of(at(time))));
  expect([early, between, late]).toEqual([early, between, late].toSorted((a, b) => Number(a) - Number(b)));
});

it("gives every row of one moment an id of its own, also after others have gone and come", () => {
  db.exec("PRAGMA foreign_keys = OFF");
  const ids = createTimeIds(db, "turns");
  const same = Array.from({ length: 50 }, () => add(ids.of(at("10:00:00"))));
  expect(new Set(same).size).toBe(50);
  expect(same).toEqual(same.toSorted((a, b) => a - b));
  const again = createTimeIds(db, "turns");
  expect(again.of(at("10:00:00"))).toBe(Number(same.at(-1)) + 1);
  db.prepare("DELETE FROM turns WHERE id = ?").run(same[0] ?? 0);
  ids.release(same[0] ?? 0);
  expect(ids.of(at("10:00:00"))).toBe(same[0]);
});

it("looks for a free id only once behind rows of one moment", () => {
  db.exec("PRAGMA foreign_keys = OFF");
  let asked = 0;
  const counting = {
    prepare(sql: string) {
      const statement = db.prepare(sql);
      const get = (id: number): unknown => {
        asked++;
        return statement.get(id);
      };
      return { get };
    },
  } as unknown as Database;
  const ids = createTimeIds(counting, "turns");
  for (let row = 0; row < 1000; row++) add(ids.of(at(row % 2 === 0 ? "10:00:00" : "10:00:05")));
  expect(asked).toBeLessThan(2000);
});

it("takes what has no time, or an odd one, for the newest", () => {
  db.exec("PRAGMA foreign_keys = OFF");
  const ids = createTimeIds(db, "turns");
  const known = add(ids.of(at("10:00:00")));
  expect(add(ids.of(undefined))).toBe(known + 1);
  expect(add(ids.of("1601-01-01T00:00:00.000Z"))).toBe(known + 2);
  expect(createTimeIds(db, "search_texts", { first: 2 ** 40 }).of(undefined)).toBe(2 ** 40 + 1);
});

it("asks for no id where nobody else gives any, until that is uncertain", () => {
  db.exec("PRAGMA foreign_keys = OFF");
  let asked = 0;
  const counting = {
    prepare(sql: string) {
      const statement = db.prepare(sql);
      const get = (...ids: number[]): unknown => {
        asked += ids.length;
        return statement.get(...ids);
      };
      return { get };
    },
  } as unknown as Database;
  const ids = createTimeIds(counting, "turns", { isAlone: true });
  const same = Array.from({ length: 50 }, () => add(ids.of(at("10:00:00"))));
  expect([new Set(same).size, asked]).toEqual([50, 0]);
  ids.forget();
  expect(ids.of(at("10:00:00"))).toBe(Number(same.at(-1)) + 1);
  // There are rows now, which somebody else has given ids.
  const later = createTimeIds(counting, "turns", { isAlone: true });
  expect(later.of(at("10:00:00"))).toBe(Number(same.at(-1)) + 1);
});
