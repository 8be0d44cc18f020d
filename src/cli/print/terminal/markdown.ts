/**
 * Light Markdown for the terminal: headings, emphasis, lists, quotes and code are styled; the words stay as written.
 */

import type { Style } from "../../../present/text/style.ts";
import { pieces, plain, take, widthOf, wrap } from "../../../present/text/text.ts";
import { isTableLine, renderTable } from "./markdown-table.ts";

const FENCE = /^\s*(`{3,}|~{3,})\s*([^`]*)$/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const ITEM = /^(\s*)(?:([-*+])|(\d{1,4}[.)]))\s+(.*)$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;

/** Lines no wider than `width`. Takes raw text: whatever a terminal would obey is neutralised here. */
export function renderMarkdown(text: string, width: number, style: Style): string[] {
  const lines: string[] = [];
  let fence: string | undefined;
  let table: string[] = [];
  const add = (more: readonly string[]): void => {
    for (const line of more) lines.push(line);
  };
  const endTable = (): void => {
    if (table.length > 0) add(renderTableLines(table, width, style));
    table = [];
  };
  for (const line of plain(text).trim().split("\n")) {
    if (fence === undefined && isTableLine(line)) {
      table.push(line);
      continue;
    }
    endTable();
    const opening = FENCE.exec(line);
    if (fence !== undefined) {
      if (opening?.[1]?.startsWith(fence) && opening[2]?.trim() === "") fence = undefined;
      else add(renderCode(line, width, style));
    } else if (opening) {
      fence = opening[1];
      if (opening[2]?.trim()) lines.push(style.dim(take(`╷ ${opening[2].trim()}`, width)));
    } else add(renderLine(line, width, style));
  }
  endTable();
  return lines;
}

function renderLine(line: string, width: number, style: Style): string[] {
  if (line.trim() === "") return [""];
  const heading = HEADING.exec(line);
  if (heading) return wrap(heading[2] ?? "", width).map((each) => style.bold(stripMarks(each)));
  if (RULE.test(line)) return [style.dim("─".repeat(Math.min(width, 40)))];
  const quote = QUOTE.exec(line);
  if (quote)
    return wrap(quote[1] ?? "", width - 2).map(
      (each) => style.dim("│ ") + style.italic(renderInline(each, style)),
    );
  const item = ITEM.exec(line);
  if (item) {
    const bullet = item[2] ? "•" : (item[3] ?? "");
    return hang(`${(item[1] ?? "").slice(0, 12)}${bullet} `, item[4] ?? "", width, style);
  }
  return hang("", line.trimEnd(), width, style);
}

const renderTableLines = (table: readonly string[], width: number, style: Style): string[] =>
  renderTable(table, width, style, (cell) => renderInline(cell, style)) ??
  table.flatMap((line) => pieces(line, width).map((each) => renderInline(each, style)));

function hang(lead: string, text: string, width: number, style: Style): string[] {
  const indent = widthOf(lead);
  const wrapped = wrap(text, Math.max(8, width - indent)).join("\n");
  return renderInline(wrapped, style)
    .split("\n")
    .map((each, index) => (index === 0 ? lead : " ".repeat(indent)) + each);
}

const renderCode = (line: string, width: number, style: Style): string[] =>
  pieces(line, width - 2).map((each) => style.dim("│ ") + style.cyan(each));

/** Runs over a whole wrapped paragraph, so that emphasis may span lines. */
function renderInline(text: string, style: Style): string {
  return text
    .split(/(`[^`]+`)/)
    .map((piece, index) =>
      index % 2 === 1 ? paintLines(piece.slice(1, -1), style.cyan) : renderMarks(piece, style),
    )
    .join("");
}

const renderMarks = (text: string, style: Style): string =>
  text
    .replace(/\*\*(?=\S)([^*]+?)\*\*/g, (_, words: string) => paintLines(words, style.bold))
    .replace(/(?<![\w*])\*(?=\S)([^*\n]+?)\*(?![\w*])/g, (_, words: string) => style.italic(words))
    .replace(/\[([^[\]\n]+)\]\((https?:[^)\s]+)\)/g, (_, words: string, link: string) =>
      words === link ? style.underline(link) : `${words} ${style.dim(`(${link})`)}`,
    );

/** A color must not run into the margin of the next line. */
const paintLines = (text: string, paint: (text: string) => string): string =>
  text.split("\n").map(paint).join("\n");

const stripMarks = (text: string): string => text.replace(/\*\*|`/g, "");
