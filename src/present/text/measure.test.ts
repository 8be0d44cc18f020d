import { describe, expect, it } from "vitest";
import { ago, bar, bytes, chars, sparkline } from "./measure.ts";

const now = new Date(2026, 6, 15, 14, 30);
const before = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString();

describe("ago", () => {
  it.each([
    [0, "just now"],
    [5, "5 min ago"],
    [60, "1 hour ago"],
    [180, "3 hours ago"],
    [13 * 60, "today"],
    [20 * 60, "yesterday"],
    [3 * 1440, "3 days ago"],
    [21 * 1440, "3 weeks ago"],
    [100 * 1440, "6 Apr"],
    [300 * 1440, "18 Sep 2025"],
    [-1440, "16 Jul"],
  ])("tells %i minutes as %s", (minutes, words) => {
    expect(ago(before(minutes), now)).toBe(words);
  });
  it("says nothing about a time that is none", () => {
    expect([ago(undefined, now), ago("soon", now)]).toEqual(["", ""]);
  });
});

describe("amounts", () => {
  it("gives sizes in few characters", () => {
    expect([0, 999, 1000, 9_949, 99_500, 1_234_567, 999_500_000].map(bytes)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "9.9 kB",
      "100 kB",
      "1.2 MB",
      "1.0 GB",
    ]);
    expect([5, 1234, 2_500_000].map(chars)).toEqual(["5 chars", "1.2k chars", "2.5M chars"]);
  });
  it("draws little things, and tells them from nothing", () => {
    expect(sparkline([0, 1, 50, 100])).toBe("·▁▄█");
    expect([bar(0, 8), bar(0.0001, 8), bar(0.5, 8), bar(1, 8)]).toEqual(["", "▏", "████", "████████"]);
  });
});
