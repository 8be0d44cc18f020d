/** The views and tables of the store, for people who write queries. */
import type { StoreSchema } from "../../../app/contract.ts";
import type { Page } from "../../../present/page.ts";
import { pad, widthOf, wrap } from "../../../present/text/text.ts";

export function schemaHelp({ views, tables }: StoreSchema, { style, columns }: Page): string[] {
  const heading = (text: string): string[] => wrap(text, columns).map(style.dim);
  return [
    ...heading("Views: made for queries; they stay compatible in later versions."),
    ...views.flatMap(({ name, means, columns: own }) => {
      const longest = Math.max(...own.map((column) => widthOf(column.name)));
      const room = Math.max(20, columns - longest - 4);
      return [
        "",
        ...wrap(`${name}: ${means}`, columns).map((line, i) =>
          i === 0 ? lead(name, line, style.bold) : line,
        ),
        ...own.flatMap((column) =>
          wrap(column.means, room).map(
            (line, i) => `  ${style.cyan(pad(i === 0 ? column.name : "", longest))}  ${style.dim(line)}`,
          ),
        ),
      ];
    }),
    "",
    ...heading("Tables: those of Copilot CLI's own store with more columns, and a few of rethread's own."),
    ...tables.flatMap(({ name, means, columns: own }) => [
      "",
      ...wrap(`${name}: ${means}`, columns).map((line, i) => (i === 0 ? lead(name, line, style.bold) : line)),
      ...wrap(own.join(", "), columns - 2).map((line) => style.dim(`  ${line}`)),
    ]),
  ];
}

/** Paints the name that a line begins with. */
const lead = (name: string, line: string, paint: (text: string) => string): string =>
  line.startsWith(name) ? paint(name) + line.slice(name.length) : line;
