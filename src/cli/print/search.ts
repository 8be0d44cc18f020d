/** What a search found, grouped by session, with the words that matched and how to go on. */
import type { Hit, SearchReport } from "../../app/app.ts";
import { shortId } from "../../model/id.ts";
import { painted } from "./marks.ts";
import { ago, plural } from "./measure.ts";
import type { Page } from "./page.ts";
import { cut, oneLine, wrap } from "./text.ts";

interface Setting {
  readonly words: readonly string[];
  readonly now: Date;
}

/** Of one session, as many as show that it is the right one. */
const HITS_OF_A_SESSION = 3;

export function printSearch(
  report: SearchReport,
  { words, now }: Setting,
  { style, columns }: Page,
): string[] {
  const asked = oneLine(words.join(" "));
  if (report.hits.length === 0)
    return wrap(
      `Nothing was found for ${asked}. Fewer words, or the beginning of one (begin*), find more.`,
      columns,
    );
  const remarks = [
    ...report.respelt.map(
      ({ typed, used }) => `Nothing was found for "${oneLine(typed)}"; this is for "${oneLine(used)}".`,
    ),
    ...(report.partial ? ["No turn has all of these words; these have some of them."] : []),
  ];
  const width = columns - 4;
  const groups = report.sessions.flatMap(({ session, hits }) => {
    const gone = session.vanishedAt === undefined ? "" : "files gone";
    const facts = [shortId(session.id), session.source, ago(session.updatedAt, now), gone]
      .filter(Boolean)
      .join(" · ");
    return [
      style.bold(cut(oneLine(session.title) || "(no title)", columns)),
      style.dim(cut(facts, columns)),
      ...hits.slice(0, HITS_OF_A_SESSION).flatMap((hit) => {
        const place = placeOf(hit);
        return `  ${style.cyan(place)}  ${painted(hit.snippet, Math.max(20, width - place.length), style.yellow)}`;
      }),
      ...(session.resume === undefined ? [] : [style.dim(cut(`  → ${oneLine(session.resume)}`, columns))]),
      "",
    ];
  });
  const count = `${plural(report.hits.length, "hit", "hits")} in ${plural(report.sessions.length, "session", "sessions")}`;
  return [...remarks.flatMap((remark) => wrap(remark, columns)), ...groups, style.dim(count)];
}

function placeOf(hit: Hit): string {
  if (hit.turn !== undefined) return `turn ${hit.turn}`;
  return hit.where === "session" ? "about" : "checkpoint";
}
