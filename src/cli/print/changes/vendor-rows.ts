/** Prints what happens to the rows that an agent's own database has of a session. */
import type { VendorRows } from "../../../app/contract.ts";
import { adviceFor, toHint } from "../../../model/remedy.ts";
import { plural } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { wrap } from "../../../present/text/text.ts";

type Tense = "planned" | "done";
const VERBS = {
  planned: { removed: "would be removed", updated: "would be updated", added: "would be added" },
  done: { removed: "removed", updated: "updated", added: "added" },
} as const satisfies Record<Tense, Record<string, string>>;

export function vendorRowLines(
  all: readonly VendorRows[],
  tense: Tense,
  { columns, style, isDemo }: { readonly columns: number; readonly style: Style; readonly isDemo: boolean },
): string[] {
  return all.flatMap(({ label, tables, trouble }) => {
    const counts = (["removed", "updated", "added"] as const).flatMap((what) => {
      const rows = Object.values(tables).reduce((sum, count) => sum + count[what], 0);
      return rows === 0 ? [] : [`${plural(rows, "row", "rows")} ${VERBS[tense][what]}`];
    });
    const said = counts.length > 0 ? [`${label}'s own store: ${counts.join(", ")}`] : [];
    const wrong =
      trouble === undefined ? [] : [`${label}'s own store: ${toHint(adviceFor(trouble, isDemo))}`];
    const indented = (text: string): string[] => wrap(text, columns - 2).map((line) => `  ${line}`);
    return [...said.flatMap(indented), ...wrong.flatMap(indented).map(style.yellow)];
  });
}
