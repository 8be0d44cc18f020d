import { expect, it } from "vitest";
import { createNames } from "./names.ts";

it("gives every id one number, and gives the id back for it", () => {
  const names = createNames();
  const ids = Array.from({ length: 5000 }, (_, at) => `${at}-0b1c-4d0b-9c55-0d2f6a1be901`);
  expect(ids.map(names.of)).toEqual(ids.map((_, at) => at));
  expect(ids.map(names.of)).toEqual(ids.map((_, at) => at));
  expect(ids.map((_, at) => names.text(at))).toEqual(ids);
  expect(names.size).toBe(5000);
});

/** With few names, which are held as they are, and with many. */
it.each([0, 5000])("tells ids apart that are empty, long, or beyond Latin, behind %i others", (before) => {
  const names = createNames();
  for (let at = 0; at < before; at++) names.of(`other ${at}`);
  const ids = [
    "",
    "a",
    "é",
    "е",
    "日",
    "\ud800",
    "\ud801",
    "x".repeat(255),
    "x".repeat(256),
    "x".repeat(20_000),
  ];
  expect(ids.map(names.has)).toEqual(ids.map(() => false));
  expect(ids.map(names.of)).toEqual(ids.map((_, at) => before + at));
  expect(ids.map(names.has)).toEqual(ids.map(() => true));
  expect(ids.map((_, at) => names.text(before + at))).toEqual(ids);
});

it("knows all of them after it has grown, odd ones between plain ones", () => {
  const names = createNames();
  const ids = Array.from({ length: 10_000 }, (_, at) => (at % 3 === 0 ? `行${at}` : `row-${at}`));
  for (const id of ids) names.of(id);
  expect(ids.map(names.of)).toEqual(ids.map((_, at) => at));
  expect(ids.map((_, at) => names.text(at))).toEqual(ids);
});
