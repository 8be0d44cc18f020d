/** Long answers are split at paragraphs, never inside a code block without closing it. */
import { describe, expect, it } from "vitest";
import { splitMarkdown } from "./split-markdown.ts";

const paragraph = (n: number): string => `Paragraph ${n} ${"word ".repeat(100)}`;

describe("splitMarkdown", () => {
  it("leaves a short text whole", () => {
    expect(splitMarkdown("a\n\nb")).toEqual(["a\n\nb"]);
  });

  it("splits at blank lines and loses no paragraph", () => {
    const all = Array.from({ length: 200 }, (_, n) => paragraph(n));
    const pieces = splitMarkdown(all.join("\n\n"));
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.join("\n\n").split("\n\n")).toEqual(all);
  });

  it("keeps a code block in one piece", () => {
    const code = ["```ts", ...Array.from({ length: 300 }, (_, n) => `line(${n});\n`), "```"].join("\n");
    const pieces = splitMarkdown(`${paragraph(0).repeat(12)}\n\n${code}\n\n${paragraph(1).repeat(12)}`);
    expect(pieces.filter((piece) => piece.includes("line(0)"))).toHaveLength(1);
    expect(pieces.find((piece) => piece.includes("line(0)"))).toContain("line(299)");
  });

  it("closes and opens a code block that is too long for one piece", () => {
    const code = ["```ts", ...Array.from({ length: 9000 }, (_, n) => `line(${n});`), "```"].join("\n");
    const pieces = splitMarkdown(code);
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece.match(/^```/gm)).toHaveLength(2);
  });

  it("cuts a line that never ends", () => {
    expect(splitMarkdown("x".repeat(200_000)).every((piece) => piece.length < 50_000)).toBe(true);
  });
});
