/** Prints search hits, grouped by session, with the matching words and the command to continue. */
import type { Hit, SearchReport } from "../../../app/contract.ts";
import { shortId } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { commandText } from "../../../present/text/command-text.ts";
import { titleOf } from "../../../present/text/facts.ts";
import { painted, unmarked } from "../../../present/text/marks.ts";
import { ago, plural } from "../../../present/text/measure.ts";
import { cut, oneLine, pad, plain, wrap } from "../../../present/text/text.ts";

interface Setting {
  readonly words: readonly string[];
  readonly limit: number;
  readonly isDemo: boolean;
  /** Not all sessions were looked at. */
  readonly isNarrowed: boolean;
  readonly now: Date;
}

/** Of one session, as many as show that it is the right one. */
const HITS_OF_A_SESSION = 3;

export function printSearch(report: SearchReport, setting: Setting, page: Page): string[] {
  const { style, columns } = page;
  if (report.hits.length === 0) return wrap(nothingFound(setting), columns);
  const count = `${plural(report.hits.length, "hit", "hits")} in ${plural(report.sessions.length, "session", "sessions")}`;
  const isFull = report.hits.length >= setting.limit;
  return [
    ...remarksOn(report).flatMap((remark) => wrap(remark, columns)),
    ...report.sessions.flatMap((found) => [...printSession(found, setting, page), ""]),
    ...wrap(isFull ? `${count}; show more: --limit ${setting.limit * 5}` : count, columns).map(style.dim),
    ...notesOn(report).flatMap((note) => wrap(note, columns).map(style.dim)),
  ];
}

/** The next step that fits: a question cannot be asked for signs, and a filter may have kept the answer away. */
function nothingFound({ words, isNarrowed }: Setting): string {
  const asked = oneLine(words.join(" "));
  if (!/[\p{L}\p{N}]/u.test(asked))
    return `Nothing can be found for ${asked}: only letters and digits are searched for.`;
  if (words.every((word) => /^-[^-]/.test(word)))
    return `Nothing to search for: ${asked} only excludes words.`;
  const wider = isNarrowed
    ? "Try fewer filters, fewer words, or the start of a word (begin*)"
    : "Try fewer words, or the start of a word (begin*)";
  return `Nothing was found for ${asked}. ${wider}.`;
}

const quoted = (words: readonly string[]): string => words.map((word) => `"${oneLine(word)}"`).join(", ");

const notesOn = ({ optional }: SearchReport): string[] =>
  optional.length === 0
    ? []
    : [`Optional: ${quoted(optional)}; put words in quotation marks to require them.`];

function remarksOn({ respelt, partial, missing }: SearchReport): string[] {
  return [
    ...respelt.map(
      ({ typed, used }) => `Nothing was found for ${quoted([typed])}; showing results for ${quoted([used])}.`,
    ),
    ...(missing.length > 0 ? [`Nothing was found for ${quoted(missing)}.`] : []),
    ...(partial ? ["No turn has all the words; these have most of them."] : []),
  ];
}

function printSession(
  { session, hits }: SearchReport["sessions"][number],
  { now, isDemo }: Setting,
  { style, columns }: Page,
): string[] {
  const gone = session.vanishedAt === undefined ? "" : "files gone";
  const facts = [shortId(session.id), session.source, ago(session.updatedAt, now), gone].filter(Boolean);
  const title = titleOf(session);
  // What matched in the title is painted there, instead of being said once more.
  const lines = hits.flatMap((hit) => linesOf(hit).map((snippet) => ({ hit, snippet })));
  const inTitle = lines.find(({ hit, snippet }) => isTitle(hit, snippet, title));
  const rest = lines.filter((line) => line !== inTitle);
  const widest = Math.max(0, ...rest.slice(0, HITS_OF_A_SESSION).map(({ hit }) => placeOf(hit).length));
  const room = Math.max(20, columns - widest - 4);
  const more = rest.length - HITS_OF_A_SESSION;
  const next =
    gone === "" && session.resume !== undefined
      ? `continue: ${plain(session.resume)}`
      : `read: ${commandText(["show", shortId(session.id)], isDemo)}`;
  return [
    style.bold(painted(inTitle?.snippet ?? title, columns, style.yellow)),
    style.dim(cut(facts.join(" · "), columns)),
    ...rest
      .slice(0, HITS_OF_A_SESSION)
      .map(
        ({ hit, snippet }) =>
          `  ${style.cyan(pad(placeOf(hit), widest))}  ${painted(snippet, room, style.yellow)}`,
      ),
    ...(more > 0 ? [style.dim(`  and ${more} more`)] : []),
    // Whole, however narrow the terminal: half a command cannot be copied.
    style.dim(`  ${next}`),
  ];
}

/** What is known about a session is a list; what was said is read as one. */
const linesOf = (hit: Hit): string[] => (hit.where === "session" ? hit.snippet.split("\n") : [hit.snippet]);

const isTitle = (hit: Hit, snippet: string, title: string): boolean =>
  hit.where === "session" && title.startsWith(oneLine(unmarked(snippet)).replace(/…$/, ""));

function placeOf(hit: Hit): string {
  if (hit.turn !== undefined) return `turn ${hit.turn}`;
  return hit.where === "session" ? "about" : "checkpoint";
}
