/** The sessions that a name could mean, as a table. */
import type { SessionMatch } from "../../../model/errors.ts";
import { toShell } from "../../../model/text/shell-words.ts";
import type { Page } from "../../../present/page.ts";
import { titleOf } from "../../../present/text/facts.ts";
import { amount, briefly } from "../../../present/text/measure.ts";
import { cutTitle } from "../../../present/text/text.ts";
import { toTable } from "../terminal/table.ts";

/** More than this, and typing more of the name helps sooner than reading on. */
const MOST = 50;

export function printMatches(
  matches: readonly SessionMatch[],
  now: Date,
  { style, columns }: Page,
): string[] {
  const more = matches.length - MOST;
  return [
    ...toTable(
      matches.slice(0, MOST),
      [
        { head: "ID", text: ({ name }) => toShell([name]), paint: () => style.cyan },
        { head: "SOURCE", text: ({ session }) => session.source, paint: () => style.dim, gives: 2 },
        { head: "ACTIVE", text: ({ session }) => briefly(session.updatedAt, now), gives: 1 },
        { head: "TITLE", text: ({ session }) => titleOf(session), cut: cutTitle, min: 22 },
      ],
      columns,
      style.dim,
    ),
    ...(more > 0 ? [`and ${amount(more)} more`] : []),
  ];
}
