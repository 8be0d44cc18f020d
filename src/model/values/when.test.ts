import { describe, expect, it } from "vitest";
import { parseWhen } from "./when.ts";

const now = new Date(2026, 6, 15, 14, 30);

describe("parseWhen", () => {
  it.each([
    ["today", new Date(2026, 6, 15)],
    ["yesterday", new Date(2026, 6, 14)],
    ["wednesday", new Date(2026, 6, 15)],
    ["Monday", new Date(2026, 6, 13)],
    ["thursday", new Date(2026, 6, 9)],
    ["3h", new Date(2026, 6, 15, 11, 30)],
    ["7d", new Date(2026, 6, 8, 14, 30)],
    ["2w", new Date(2026, 6, 1, 14, 30)],
    ["45min", new Date(2026, 6, 15, 13, 45)],
    ["1mo", new Date(2026, 5, 15, 14, 30)],
    ["8mo", new Date(2025, 10, 15, 14, 30)],
    ["1y", new Date(2025, 6, 15, 14, 30)],
    ["2026-07-01", new Date(2026, 6, 1)],
    ["2026-07-01T09:30:00Z", new Date("2026-07-01T09:30:00Z")],
  ])("reads %s as a start", (text, expected) => {
    expect(parseWhen(text, "start", now)).toEqual(expected);
  });

  it("takes a whole day as an end", () => {
    expect(parseWhen("2026-07-01", "end", now)).toEqual(new Date(2026, 6, 1, 23, 59, 59, 999));
    expect(parseWhen("monday", "end", now)).toEqual(new Date(2026, 6, 13, 23, 59, 59, 999));
    expect(parseWhen("yesterday", "end", now)).toEqual(new Date(2026, 6, 14, 23, 59, 59, 999));
  });

  it("ends a month that is shorter with its last day", () => {
    expect(parseWhen("1mo", "start", new Date(2026, 2, 31, 8))).toEqual(new Date(2026, 1, 28, 8));
    expect(parseWhen("1y", "start", new Date(2024, 1, 29, 8))).toEqual(new Date(2023, 1, 28, 8));
  });

  it("does not guess whether minutes or months are meant", () => {
    expect(() => parseWhen("1m", "start", now)).toThrow(
      expect.objectContaining({
        code: "usage",
        message: '"1m" may mean minutes or months',
        hint: "Write 1min for minutes, or 1mo for months",
      }),
    );
  });

  it.each(["soon", "2026-02-31", "2026-13-01", "-3d", ""])(
    "refuses %j and says what it would take",
    (text) => {
      expect(() => parseWhen(text, "start", now)).toThrow(
        expect.objectContaining({ code: "usage", hint: expect.stringContaining("7d") }),
      );
    },
  );
});
