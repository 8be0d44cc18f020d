/** The axis keeps the order of moments and gives each its own place, however far apart they are. */
import { expect, it } from "vitest";
import { ticksOf, timeScale } from "./time-scale.ts";

const at = (text: string): number => new Date(text).getTime();

it("keeps the order of moments", () => {
  const moments = ["2026-01-01T10:00", "2026-01-01T10:01", "2026-01-01T18:00", "2026-09-03T08:00"].map(at);
  const scale = timeScale(moments.toReversed());
  const places = moments.map((moment) => scale.at(moment));
  expect(places[0]).toBe(0);
  expect(places[3]).toBe(1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(places).size).toBe(4);
});

it("gives a minute of work room beside months of pause", () => {
  const scale = timeScale(["2026-01-01T10:00", "2026-01-01T10:01", "2026-12-01T10:00"].map(at));
  expect(scale.at(at("2026-01-01T10:01"))).toBeGreaterThan(0.02);
});

it("puts what lies between two moments between them, and what lies outside at the ends", () => {
  const scale = timeScale(["2026-01-01T10:00", "2026-01-01T12:00"].map(at));
  expect(scale.at(at("2026-01-01T11:00"))).toBeCloseTo(0.5);
  expect(scale.at(at("2025-01-01T11:00"))).toBe(0);
  expect(scale.at(at("2027-01-01T11:00"))).toBe(1);
});

it("knows no moment, or one", () => {
  expect(timeScale([]).at(5)).toBe(0);
  expect(timeScale([5, Number.NaN]).at(5)).toBe(0);
});

it("labels days that are far enough apart, and hours within a day", () => {
  const days = ticksOf(timeScale(["2026-01-01T10:00", "2026-02-01T10:00"].map(at)), 640);
  expect(days.length).toBeGreaterThan(3);
  expect(days.length).toBeLessThan(11);
  for (const [i, tick] of days.entries()) expect(tick.x - (days[i - 1]?.x ?? -64)).toBeGreaterThanOrEqual(64);
  expect(days[0]?.label).toMatch(/^\d+ Jan$/);
  const hours = ticksOf(timeScale(["2026-01-01T10:10", "2026-01-01T14:10"].map(at)), 640);
  expect(hours.map(({ label }) => label)).toEqual(
    ["11:00", "12:00", "13:00", "14:00"].slice(0, hours.length),
  );
});

it("labels the day of the latest moment, rather than one that is near it", () => {
  const moments = ["2026-01-01T10:00", "2026-01-12T10:00", "2026-01-18T23:00", "2026-01-19T00:10"];
  for (const width of [200, 400, 640, 1200]) {
    const ticks = ticksOf(timeScale(moments.map(at)), width);
    const last = ticks.at(-1);
    expect(last?.label, `${width} px`).toBe("19 Jan");
    expect(last?.isAtEnd).toBe((last?.x ?? 0) > width - 32);
    expect((last?.x ?? 0) - (ticks.at(-2)?.x ?? -64)).toBeGreaterThanOrEqual(64);
  }
});
