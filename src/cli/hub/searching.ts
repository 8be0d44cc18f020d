/** `rethread search --hub` and `sql --hub`: asks the hub, and prints its answers as our own, marked as the hub's. */
import type { SearchReport } from "../../app/contract.ts";
import { MARK } from "../../model/text/marks.ts";
import type { HubHits } from "../../operations/hub/hub-questions.ts";

type Hit = HubHits["hits"][number];

/** As the printer of local hits takes them; each session under the hub's name for it. */
export function toHubReport({ hits: found, next, unreachable: _, ...answer }: HubHits): SearchReport {
  const hits = found.map(toHit);
  const sessions = [...Map.groupBy(hits, ({ session }) => session.id).values()];
  return {
    ...answer,
    hits,
    sessions: sessions.flatMap((of) => (of[0] ? [{ session: of[0].session, hits: of }] : [])),
    ...(next !== null && { next }),
  };
}

function toHit({ session, turn, time, label, snippet, matches, person, hubSession, ...hit }: Hit) {
  const { resume: _, ...known } = session;
  return {
    ...hit,
    session: { ...known, id: hubSession.slice(hubSession.indexOf(":") + 1), person },
    ...(turn !== null && { turn }),
    ...(time !== null && { time }),
    ...(label !== null && { label }),
    snippet: withMarks(snippet, matches),
    alsoIn: [],
  };
}

function withMarks(text: string, matches: Hit["matches"]): string {
  let [out, at] = ["", 0];
  for (const { start, end } of matches) {
    out += `${text.slice(at, start)}${MARK.open}${text.slice(start, end)}${MARK.close}`;
    at = end;
  }
  return out + text.slice(at);
}
