/** Puts a sorted list of sessions under headings: today, yesterday, this week, then month by month. */
import type { SessionRow } from "./session-query.ts";

export type Item =
  | { readonly kind: "heading"; readonly label: string }
  | { readonly kind: "session"; readonly session: SessionRow; readonly at: number };

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** The days before today that count as this week. */
const WEEK_DAYS = 6;

/** Sessions by name or size have no headings. */
export function withHeadings(sessions: readonly SessionRow[], sort: string, now: Date): Item[] {
  if (sort !== "active" && sort !== "created")
    return sessions.map((session, at) => ({ kind: "session", session, at }));
  const labelOf = createLabels(now);
  const items: Item[] = [];
  let last: string | undefined;
  for (const [at, session] of sessions.entries()) {
    const label = labelOf(sort === "active" ? session.updatedAt : session.createdAt);
    if (label !== last) items.push({ kind: "heading", label });
    last = label;
    items.push({ kind: "session", session, at });
  }
  return items;
}

/** The heading for a time, with the limits worked out once for all rows. */
function createLabels(now: Date): (iso: string | null) => string {
  const midnight = (daysBefore: number): number =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBefore).getTime();
  const [today, yesterday, week] = [midnight(0), midnight(1), midnight(WEEK_DAYS)];
  return (iso) => {
    if (iso === null) return "Without a date";
    const time = Date.parse(iso);
    if (time >= today) return "Today";
    if (time >= yesterday) return "Yesterday";
    if (time >= week) return "This week";
    const date = new Date(time);
    const year = date.getFullYear();
    const month = MONTHS[date.getMonth()] ?? "";
    if (year !== now.getFullYear()) return `${month} ${year}`;
    return date.getMonth() === now.getMonth() ? `Earlier in ${month}` : month;
  };
}
