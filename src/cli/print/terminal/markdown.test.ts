import { describe, expect, it } from "vitest";
import { createStyle } from "../../../present/text/style.ts";
import { widthOf } from "../../../present/text/text.ts";
import { renderMarkdown } from "./markdown.ts";

const render = (text: string, width = 40): string[] => renderMarkdown(text, width, createStyle(false));

describe("renderMarkdown", () => {
  it("tells headings, lists, quotes and code apart without color", () => {
    expect(
      render("## Plan\n\n1. **first** step\n- `run` it\n> said\n---\n```ts\nconst a = 1;\n```\ndone"),
    ).toEqual([
      "Plan",
      "",
      "1. first step",
      "• run it",
      "│ said",
      "─".repeat(40),
      "╷ ts",
      "│ const a = 1;",
      "done",
    ]);
  });
  it("marks emphasis and code with color", () => {
    expect(renderMarkdown("**bold** `code`", 40, createStyle(true))).toEqual([
      "\x1b[1mbold\x1b[22m \x1b[36mcode\x1b[39m",
    ]);
  });
  it("leaves names with stars and underscores alone", () => {
    expect(render("2 * 3 * 4 and snake_case_name")).toEqual(["2 * 3 * 4 and snake_case_name"]);
  });
  it("hangs wrapped list items under their text", () => {
    expect(render("- one two three four", 12)).toEqual(["• one two", "  three four"]);
  });
  it("leaves code as it is, and cuts what is too long at the edge", () => {
    expect(render("```\na  b  **c**\n0123456789ab\n```", 12)).toEqual([
      "│ a  b  **c*",
      "│ *",
      "│ 0123456789",
      "│ ab",
    ]);
  });
  it("shows what follows a fence that is never closed", () => {
    expect(render("```\ncode")).toEqual(["│ code"]);
  });
  it("lets no escape sequence through, in prose or code", () => {
    expect(render("\x1b[31mred\n```\n\x1b[2J\n```").join("")).not.toContain("\x1b");
  });
  it("lines tables up when they fit, and leaves them as they are when not", () => {
    const table = "| knob | now |\n|---|:--|\n| `a\\|b` | 0 m |\n| accuracy | |";
    expect(render(table)).toEqual(["knob      now", "────────  ───", "a|b       0 m", "accuracy"]);
    expect(render(table, 10)[0]).toBe("| knob | n");
  });
  it("keeps to the width", () => {
    const text = `# ${"long ".repeat(20)}\n\n${"日本語".repeat(30)}\n- ${"word ".repeat(30)}\n> ${"q".repeat(90)}\n| a | ${"b".repeat(80)} |`;
    for (const line of render(text, 30)) expect(widthOf(line)).toBeLessThanOrEqual(30);
  });
});
