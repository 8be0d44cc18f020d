import { describe, expect, it } from "vitest";
import { parseWhen } from "./when.ts";

const now = new Date(2026, 6, 15, 14, 30);

describe("parseWhen", () => {
  it.each([
    ["today", new Date(2026, 6, 15)],
    ["yesterday", new Date(2026, 6, 14)],
    ["3h", new Date(2026, 6, 15, 11, 30)],
    ["7d", new Date(2026, 6, 8, 14, 30)],
    ["2w", new Date(2026, 6, 1, 14, 30)],
    ["2026-07-01", new Date(2026, 6, 1)],
    ["2026-07-01T09:30:00Z", new Date("2026-07-01T09:30:00Z")],
  ])("reads %s as a start", (text, expected) => {
    expect(parseWhen(text, "start", now)).toEqual(expected);
  });

  it("takes a whole day as an end", () => {
    expect(parseWhen("2026-07-01", "end", now)).toEqual(new Date(2026, 6, 1, 23, 59, 59, 999));
    expect(parseWhen("yesterday", "end", now)).toEqual(new Date(2026, 6, 14, 23, 59, 59, 999));
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
