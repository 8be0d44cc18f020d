/** Columns are as wide as what they hold, and numbers are known as such. */
import { expect, it } from "vitest";
import { columnsOf, firstLine } from "./columns.ts";

const measure = (text: string): number => text.length * 10;
const widths = (columns: string[], ...rows: (string | number | null)[][]) =>
  columnsOf({ columns, rows }, measure);

it("are as wide as the longest value, within bounds", () => {
  const [narrow, fitting, wide] = widths(["a", "b", "c"], ["x", "twelve chars", "y".repeat(500)]);
  expect(narrow?.width).toBe(64);
  expect(fitting?.width).toBe(146);
  expect(wide?.width).toBe(420);
});

it("show the beginning of an id", () => {
  const [id] = widths(["session"], ["3df380a0-08ec-4c13-8e4f-1e10c5e4c0aa"]);
  expect(id?.width).toBe(126);
});

it("know numbers, also beside NULL, and look at rows far down", () => {
  const rows = Array.from({ length: 5000 }, (_, at) => [
    at === 7 ? null : at,
    at === 4999 ? "a longer text" : null,
  ]);
  const [numbers, texts] = widths(["n", "t"], ...rows);
  expect([numbers?.isNumber, texts?.isNumber]).toEqual([true, false]);
  expect(texts?.width).toBe(156);
  expect(widths(["nothing"], [null])[0]?.isNumber).toBe(false);
});

it("keep a value on one line", () => {
  expect([firstLine("two\n  lines"), firstLine(null), firstLine(1.5)]).toEqual(["two lines", "NULL", "1.5"]);
});
