import fc from "fast-check";
import { expect, it } from "vitest";
import {
  isOddTime,
  isTimely,
  parseTime,
  toFileDate,
  toFileMs,
  toFileTime,
  toIso,
  toMs,
  toPlainDate,
} from "./time.ts";

const GOOD = "2026-11-15T12:00:00.000Z";
const ODD: unknown[] = [
  "9999-12-31T23:59:59.999Z",
  "0001-01-01T00:00:00Z",
  "1999-12-31T23:59:59.999Z",
  "2100-01-01T00:00:00.000Z",
  "+275760-09-13T00:00:00.000Z",
  "-000001-01-01T00:00:00.000Z",
  1e20,
  -1,
  8.64e15 + 1,
  Number.POSITIVE_INFINITY,
];

it("takes ISO text and milliseconds, and nothing that cannot be true", () => {
  expect([toIso(GOOD), toIso(Date.parse(GOOD)), toMs(GOOD)]).toEqual([GOOD, GOOD, Date.parse(GOOD)]);
  expect(toIso("2026-11-15T13:00:00+01:00")).toBe(GOOD);
  for (const time of ODD) {
    expect([toIso(time), toMs(time), isOddTime(time)], String(time)).toEqual([undefined, undefined, true]);
    if (typeof time === "string") expect(isTimely(time), time).toBe(false);
  }
  // Not told at all, or in a way that its own reader objects to.
  for (const none of [undefined, null, 0, "", "soon", {}, [], true])
    expect([toIso(none), isOddTime(none)], String(none)).toEqual([undefined, false]);
});

it("makes a date that can be written of any number that a disk may give", () => {
  for (const ms of [1e17, -1e17, -1, 0.5, 1.7e12]) expect(toFileDate(ms).toISOString()).toMatch(/^\d{4}-/);
  expect([toFileTime(1e17), toFileTime(-1), toFileTime(0)]).toEqual([
    undefined,
    undefined,
    "1970-01-01T00:00:00.000Z",
  ]);
  expect([toFileMs(1e17), toFileMs(-1.5), toFileMs(1.5)]).toEqual([Date.UTC(10_000, 0, 1) - 1, -1.5, 1.5]);
  expect(toPlainDate(Number.POSITIVE_INFINITY).toISOString()).toBe("9999-12-31T23:59:59.999Z");
});

it("reads a time as the engine does, also where it is of the day of the one before", () => {
  const iso = fc.date({ noInvalidDate: true }).map((time) => time.toISOString());
  const days = fc.constantFrom("2026-11-15", "2026-02-31", "2024-02-29", "2026-11-1", "+02026-11-15", "none");
  const clocks = fc.constantFrom(
    "10:20:30.400Z",
    "24:00:00.000Z",
    "23:59:60.000Z",
    "1a:00:00.000Z",
    "10:20:30,400Z",
  );
  const odd = fc.tuple(days, fc.constantFrom("T", " ", "t"), clocks).map((parts) => parts.join(""));
  const any = fc.oneof(iso, odd, fc.string({ minLength: 24, maxLength: 24 }));
  fc.assert(
    fc.property(iso, any, (before, text) => {
      for (const each of [before, text, before.slice(0, 11) + text.slice(11)])
        expect(parseTime(each), each).toBe(Date.parse(each));
    }),
    { numRuns: 500 },
  );
});
