/** Prints figures of a run as a table in Markdown: what was judged, and how often the real program agreed. */

type Cell = string | number;

export function printTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = [columns, columns.map(() => "---"), ...rows];
  console.log(lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
}
