/** Rows of a query: as a table for people, as comma-separated values for programs. */
import type { QueryResult } from "../../../app/contract.ts";
import type { Page } from "../../../present/page.ts";
import { plural } from "../../../present/text/measure.ts";
import { oneLine } from "../../../present/text/text.ts";
import { type Column, toTable } from "../terminal/table.ts";

type Row = QueryResult["rows"][number];

const LEAST = 8;

export function printRows({ columns: names, rows }: QueryResult, { style, columns }: Page): string[] {
  const cells = names.map(
    (name, i): Column<Row> => ({
      head: oneLine(name) || "?",
      text: (row) => (row[i] === null || row[i] === undefined ? "NULL" : oneLine(String(row[i]))),
      paint: (row) => (row[i] === null ? style.dim : (text) => text),
      align: rows.length > 0 && rows.every((row) => typeof row[i] === "number") ? "right" : "left",
      min: LEAST,
    }),
  );
  const count = style.dim(plural(rows.length, "row", "rows"));
  return rows.length === 0 ? [count] : [...toTable(rows, cells, columns, style.dim), "", count];
}

/** As RFC 4180 has it: quotes around what needs them, quotes inside doubled, CRLF between records. */
export function toCsv({ columns, rows }: QueryResult): string {
  const cell = (value: unknown): string => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
