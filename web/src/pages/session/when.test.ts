/** Times of turns as people say them. */
import { describe, expect, it } from "vitest";
import { lasted, tookText, when } from "./when.ts";

const at = (...parts: [number, number, number, number, number]): Date => new Date(...parts);

describe("when", () => {
  const now = at(2026, 10, 18, 9, 0);
  it("names the day", () => {
    expect(when(at(2026, 10, 18, 8, 5).toISOString(), now)).toBe("today, 08:05");
    expect(when(at(2026, 10, 17, 16, 42).toISOString(), now)).toBe("yesterday, 16:42");
    expect(when(at(2026, 10, 3, 16, 42).toISOString(), now)).toBe("3 Nov, 16:42");
    expect(when("no time", now)).toBe("");
  });
});

describe("lasted", () => {
  it("is as exact as it is useful", () => {
    const from = "2026-11-18T09:00:00Z";
    expect(lasted(from, "2026-11-18T09:00:08Z")).toBe("8 s");
    expect(lasted(from, "2026-11-18T09:02:10Z")).toBe("2 min");
    expect(lasted(from, "2026-11-18T10:05:00Z")).toBe("1 h 5 min");
    expect(lasted(from, "2026-11-18T11:00:00Z")).toBe("2 h");
    expect(lasted(from, null)).toBe("");
    expect(lasted(from, from)).toBe("");
  });
});

describe("tookText", () => {
  it("has tenths of a second as long as they matter", () => {
    const told = [0, 49, 50, 444, 3_100, 9_949, 9_950, 59_400, 60_000, 125_000, 3_600_000, 1e9].map(tookText);
    expect(told).toEqual([
      "",
      "",
      "0.1 s",
      "0.4 s",
      "3.1 s",
      "9.9 s",
      "10 s",
      "59 s",
      "1 min",
      "2 min 5 s",
      "1 h",
      "277 h 47 min",
    ]);
  });
});
