/** The index page of exported sessions, as Markdown and as HTML. */
import type { ExportedSession, Write } from "../../app/contract.ts";
import type { Session } from "../../model/session/session.ts";
import { titleOf } from "../text/facts.ts";
import { amount, moment, plural } from "../text/measure.ts";
import { oneLine } from "../text/text.ts";
import { escapeHtml } from "./escape.ts";
import { pageTop } from "./frame.ts";
import { INDEX_CSS } from "./style.ts";

type Entries = readonly ExportedSession[];

const summaryOf = (entries: Entries): string => {
  const turns = entries.reduce((sum, { session }) => sum + session.turns, 0);
  return `${plural(entries.length, "session", "sessions")}, ${plural(turns, "turn", "turns")}`;
};

const placeOf = (session: Session): string => oneLine(session.repository ?? session.workspace ?? "");

export function markdownIndex(entries: Entries, write: Write): void {
  write(`# Sessions\n\n${summaryOf(entries)}\n\n`);
  write("| Session | Source | Where | Active | Turns |\n| --- | --- | --- | --- | ---: |\n");
  for (const { session, file = "" } of entries) {
    const cells = [
      session.source,
      escapeCell(placeOf(session)),
      moment(session.updatedAt),
      amount(session.turns),
    ];
    write(`| [${escapeCell(titleOf(session))}](${encodeURIComponent(file)}) | ${cells.join(" | ")} |\n`);
  }
}

export function htmlIndex(entries: Entries, write: Write): void {
  write(pageTop("Sessions", INDEX_CSS));
  write(`<header class="page"><h1>Sessions</h1><p>${summaryOf(entries)}</p></header>
<table><thead><tr><th>Session</th><th>Source</th><th class="wide">Where</th><th>Active</th><th class="count">Turns</th></tr></thead><tbody>
`);
  for (const { session, file = "" } of entries)
    write(
      `<tr><td dir="auto"><a href="${encodeURIComponent(file)}">${escapeHtml(titleOf(session))}</a></td><td>${escapeHtml(session.source)}</td><td class="wide place">${escapeHtml(placeOf(session))}</td><td>${moment(session.updatedAt)}</td><td class="count">${amount(session.turns)}</td></tr>\n`,
    );
  write("</tbody></table>\n</main>\n</body>\n</html>\n");
}

const escapeCell = (text: string): string => text.replace(/[\\`*_[\]<>#|]/g, "\\$&");
