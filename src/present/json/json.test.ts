import { describe, expect, it } from "vitest";
import { jsonDocument, jsonLine } from "./json.ts";

describe("jsonDocument", () => {
  it("writes one line for each field and each item", () => {
    expect(jsonDocument({ a: 1, list: [{ b: 2 }, { b: 3 }], none: [] })).toBe(
      '{\n  "a": 1,\n  "list": [\n    {"b":2},\n    {"b":3}\n  ],\n  "none": []\n}\n',
    );
  });
  it("is the same value when read back, and holds nothing a terminal would obey", () => {
    const value = { text: "\x1b[31m \x9b31m \u2028 日本語 \x7f" };
    const line = jsonLine(value);
    expect(JSON.parse(line)).toEqual(value);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028]/);
  });
});
