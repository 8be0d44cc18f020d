/** Sessions as a table. */

import type { SessionList } from "../../../app/contract.ts";
import type { Session } from "../../../model/session/session.ts";
import { shortId } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { shortPlaceOf, titleOf } from "../../../present/text/facts.ts";
import { amount, briefly, plural } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { cutTitle, oneLine, wrap } from "../../../present/text/text.ts";
import { type Column, toTable } from "../terminal/table.ts";

interface Setting {
  readonly isFiltered: boolean;
  /** The store was used as it is, without a scan. */
  readonly isAsItIs: boolean;
  readonly isDemo: boolean;
  readonly now: Date;
  /** Sentences on filters that match nothing by themselves. */
  readonly nowhere: readonly string[];
}

export function printList(list: SessionList, setting: Setting, { style, columns }: Page): string[] {
  if (list.total === 0)
    return wrap(
      setting.isFiltered
        ? `${oneLine(setting.nowhere.join(" ")) || "No session matches."} See all: rethread list${setting.isDemo ? " --demo" : ""}`
        : setting.isAsItIs
          ? `The store has no sessions. Look for some: rethread list${setting.isDemo ? " --demo" : ""}`
          : "No session was found. See where rethread looked: rethread overview. Try sample sessions: rethread list --demo",
      columns,
    );
  const damaged = list.sessions.filter((session) => session.problems > 0).length;
  const count =
    list.sessions.length < list.total
      ? `${amount(list.sessions.length)} of ${plural(list.total, "session", "sessions")}; show all: --limit 0`
      : plural(list.total, "session", "sessions");
  const gone = list.sessions.filter((session) => session.vanishedAt !== undefined).length;
  const footer = [
    count,
    ...(damaged > 0
      ? [`! ${amount(damaged)} with problems: rethread doctor${setting.isDemo ? " --demo" : ""}`]
      : []),
    ...(gone > 0 ? [`† ${amount(gone)} with files gone`] : []),
  ].join(" · ");
  return [
    ...toTable(list.sessions, sessionColumns(list.sessions, setting.now, style), columns, style.dim),
    "",
    ...wrap(footer, columns).map(style.dim),
  ];
}

function sessionColumns(sessions: readonly Session[], now: Date, style: Style): Column<Session>[] {
  const id = idLength(sessions);
  return [
    {
      head: " ",
      text: markOf,
      paint: (session) => (session.problems > 0 ? style.yellow : style.green),
    },
    { head: "ID", text: (session) => oneLine(session.id.slice(0, id)), paint: () => style.cyan },
    { head: "ACTIVE", text: (session) => briefly(session.updatedAt, now), gives: 2 },
    { head: "SOURCE", text: (session) => session.source, paint: () => style.dim, gives: 3 },
    { head: "TURNS", align: "right", text: (session) => amount(session.turns), gives: 4 },
    { head: "TITLE", text: titleOf, cut: cutTitle, min: 22 },
    { head: "WHERE", text: shortPlaceOf, paint: () => style.dim, min: 14, gives: 5 },
  ];
}

function markOf(session: Session): string {
  if (session.vanishedAt !== undefined) return "†";
  if (session.problems > 0) return "!";
  return session.openIn === undefined ? " " : "●";
}

/** As short as an id may be while all of those shown differ. */
function idLength(sessions: readonly Session[]): number {
  const ids = sessions.map((session) => session.id);
  let length = shortId(ids[0] ?? "").length;
  const longest = ids.reduce((most, id) => Math.max(most, id.length), 0);
  while (length < longest && new Set(ids.map((id) => id.slice(0, length))).size < new Set(ids).size) length++;
  return length;
}
