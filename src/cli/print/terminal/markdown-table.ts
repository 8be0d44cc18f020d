/** Tables that people and agents draw in Markdown, lined up. */
import type { Style } from "../../../present/text/style.ts";
import { pad, widthOf } from "../../../present/text/text.ts";

const DIVIDER = /^:?-+:?$/;

export const isTableLine = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);

/** Lined up when it fits, else nothing: then its lines are better left as they are. */
export function renderTable(
  lines: readonly string[],
  width: number,
  style: Style,
  inline: (text: string) => string,
): string[] | undefined {
  const rows = lines.map(cellsOf).filter((cells) => !cells.every((cell) => DIVIDER.test(cell)));
  const count = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  const painted = rows.map((cells) =>
    Array.from({ length: count }, (_, index) => inline(cells[index] ?? "")),
  );
  const sizes = Array.from({ length: count }, (_, index) =>
    painted.reduce((most, cells) => Math.max(most, widthOf(cells[index] ?? "")), 0),
  );
  if (sizes.reduce((sum, size) => sum + size + 2, -2) > width) return undefined;
  const hasHead = rows.length < lines.length;
  return painted.flatMap((cells, row) => {
    const text = cells
      .map((cell, index) => pad(cell, sizes[index] ?? 0))
      .join("  ")
      .trimEnd();
    if (row > 0 || !hasHead) return [text];
    return [style.bold(text), style.dim(sizes.map((size) => "─".repeat(size)).join("  "))];
  });
}

/** A bar inside code or after a backslash is text. */
const cellsOf = (line: string): string[] =>
  (
    line
      .trim()
      .slice(1, -1)
      .match(/(?:`[^`]*`|\\.|[^|\\`]|[\\`])+|(?<=\|)(?=\||$)|^(?=\|)/g) ?? []
  ).map((cell) => cell.trim().replaceAll("\\|", "|"));
