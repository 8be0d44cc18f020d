/** Results as text: nothing that a spreadsheet would run, nothing that breaks a line or a cell. */
import { expect, it } from "vitest";
import { toCsv, toJson, toMarkdown, toTsv } from "./csv.ts";

const table = (...rows: (string | number | null)[][]) => ({ columns: ["a", "b,c"], rows });

it("quotes what would break a line, and leaves nothing for NULL", () => {
  expect(toCsv(table(['say "hi"', "x,y"], [null, "two\nlines"]))).toBe(
    'a,"b,c"\r\n"say ""hi""","x,y"\r\n,"two\nlines"\r\n',
  );
});

it("makes a formula a text, and leaves numbers alone", () => {
  for (const formula of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1"])
    expect(
      toCsv(table([formula, -5]))
        .split("\r\n")
        .slice(1)
        .join("\r\n"),
    ).toMatch(/^"?'[\s\S]*,-5\r\n$/);
  expect(toTsv(table(["=cmd|' /C calc'!A0", 1]))).toContain("'=cmd");
  expect(toCsv(table(["a = b", "2026-11-01"]))).toContain("a = b,2026-11-01");
});

it("keeps cells apart for a spreadsheet and for Markdown", () => {
  expect(toTsv(table(["one\ttwo\nthree", 4]))).toBe("a\tb,c\none two three\t4");
  expect(toMarkdown(table(["a|b\nc", null]))).toBe("| a | b,c |\n| --- | --- |\n| a\\|b c |  |");
});

it("gives objects as JSON", () => {
  expect(JSON.parse(toJson(table(["x", null])))).toEqual([{ a: "x", "b,c": null }]);
});
