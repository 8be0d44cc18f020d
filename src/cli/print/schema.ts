/** The tables of the store, for people who write queries. */
import type { StoreTable } from "../../app/app.ts";
import type { Page } from "./page.ts";
import { wrap } from "./text.ts";

export function schemaHelp(tables: readonly StoreTable[], { style, columns }: Page): string[] {
  return tables.flatMap(({ name, columns: own }) => [
    style.bold(name),
    ...wrap(own.join(", "), columns - 2).map((line) => `  ${line}`),
  ]);
}
