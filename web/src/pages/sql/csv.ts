/** A result as text for other programs: CSV for a file, tab-separated for a spreadsheet, Markdown, JSON. */
export type Value = string | number | null;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** Spreadsheets run a text that begins like this as a formula; an apostrophe before it makes it text. */
const FORMULA = /^\s*[=+\-@]|^[\t\r]/;

const asText = (value: Value): string => {
  if (value === null) return "";
  const text = String(value);
  return typeof value === "string" && FORMULA.test(text) ? `'${text}` : text;
};

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const toCsv = ({ columns, rows }: Table): string =>
  [columns, ...rows].map((row) => `${row.map((value) => quoted(asText(value))).join(",")}\r\n`).join("");

/** A cell of a spreadsheet holds one line. */
export const toTsv = ({ columns, rows }: Table): string =>
  [columns, ...rows]
    .map((row) => row.map((value) => asText(value).replace(/[\t\r\n]+/g, " ")).join("\t"))
    .join("\n");

export const toMarkdown = ({ columns, rows }: Table): string => {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const cell = (value: Value): string =>
    (value === null ? "" : String(value)).replaceAll("|", "\\|").replace(/\s*[\r\n]+\s*/g, " ");
  return [
    line(columns.map(cell)),
    line(columns.map(() => "---")),
    ...rows.map((row) => line(row.map(cell))),
  ].join("\n");
};

export const toJson = ({ columns, rows }: Table): string =>
  JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null]))),
    undefined,
    2,
  );
