/** Escape sequences and reversing marks do not reach the page. */
import { describe, expect, it } from "vitest";
import { clean } from "./clean.ts";

describe("clean", () => {
  it("leaves plain text as it is", () => {
    expect(clean("a\tb\nc — ü 日本")).toBe("a\tb\nc — ü 日本");
  });

  it("takes out colours, titles and links of a terminal", () => {
    expect(clean("\x1b[1;31mred\x1b[0m")).toBe("red");
    expect(clean("\x1b]0;title\x07text")).toBe("text");
    expect(clean("\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\")).toBe("link");
    expect(clean("\x9b2Jgone")).toBe("gone");
  });

  it("keeps the last state of a line that was drawn over", () => {
    expect(clean("10 %\r50 %\r100 %\ndone\r\n")).toBe("100 %\ndone\n");
  });

  it("takes out what reverses text, and shows other controls", () => {
    expect(clean("a\u202eb\u2066c")).toBe("abc");
    expect(clean("a\0b\x7fc")).toBe("a\u{FFFD}b\u{FFFD}c");
  });
});
