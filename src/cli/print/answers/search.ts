/** Prints search hits, grouped by session, with the matching words and the commands to read and continue. */
import type { Hit, SearchReport } from "../../../app/contract.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { commandText, shortResumeText } from "../../../present/text/command-text.ts";
import { titleOf } from "../../../present/text/facts.ts";
import { painted, unmarked } from "../../../present/text/marks.ts";
import { ago, plural } from "../../../present/text/measure.ts";
import { cut, oneLine, pad, widthOf, wrap } from "../../../present/text/text.ts";

interface Setting {
  readonly words: readonly string[];
  readonly limit: number;
  readonly isDemo: boolean;
  /** Not all sessions were looked at. */
  readonly isNarrowed: boolean;
  readonly now: Date;
  /** The address of the hub that was asked instead of this machine. */
  readonly hub?: string;
}

/** Of one session, as many as show that it is the right one. */
const HITS_OF_A_SESSION = 3;
/** Beside a command; with less room, the command gets a line of its own. */
const ENOUGH_OF_A_SNIPPET = 60;
/** What a hit is in must leave room for what was found. */
const LONGEST_PLACE = 32;

export function printSearch(report: SearchReport, setting: Setting, page: Page): string[] {
  const { style, columns } = page;
  if (report.hits.length === 0) return wrap(nothingFound(setting), columns);
  const from = setting.hub === undefined ? "" : ` on the hub ${setting.hub}`;
  const count = `${plural(report.hits.length, "hit", "hits")} in ${plural(report.sessions.length, "session", "sessions")}${from}`;
  const isFull = report.hits.length >= setting.limit;
  return [
    ...remarksOn(report).flatMap((remark) => wrap(remark, columns)),
    ...report.sessions.flatMap((found) => [...printSession(found, setting, page), ""]),
    ...wrap(isFull ? `${count}; show more: --limit ${setting.limit * 5}` : count, columns).map(style.dim),
    ...notesOn(report).flatMap((note) => wrap(note, columns).map(style.dim)),
  ];
}

/** Where there is nothing to search in. */
export const printNoSessions = (isAsItIs: boolean, columns: number): string[] =>
  wrap(
    isAsItIs
      ? "The store has no sessions. Look for some: rethread index"
      : "No agent keeps sessions on this machine, so there is nothing to search. Create sample sessions to try: rethread demo. Where rethread looked: rethread overview",
    columns,
  );

/** The next step that fits: a question cannot be asked for signs, and a filter may have kept the answer away. */
function nothingFound({ words, isNarrowed, hub }: Setting): string {
  const asked = oneLine(words.join(" "));
  if (asked.trim() === "") return "Nothing to search for: name a word, as in `rethread search login`.";
  if (!/[\p{L}\p{N}]/u.test(asked))
    return `Nothing can be found for ${asked}: only letters and digits are searched for.`;
  if (words.every((word) => /^-[^-]/.test(word)))
    return `Nothing to search for: ${asked} only excludes words.`;
  const wider = isNarrowed
    ? "Try fewer filters, fewer words, or the start of a word (begin*)"
    : "Try fewer words, or the start of a word (begin*)";
  return `Nothing was found for ${asked}${hub === undefined ? "" : ` on the hub ${hub}`}. ${wider}.`;
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
  { now, isDemo, hub }: Setting,
  { style, columns }: Page,
): string[] {
  const isGone = session.vanishedAt !== undefined;
  const title = titleOf(session);
  // What matched in the title is painted there, instead of being said once more.
  const lines = hits.flatMap((hit) => linesOf(hit).map((snippet) => ({ hit, snippet })));
  const inTitle = lines.find(({ hit, snippet }) => isTitle(hit, snippet, title));
  const rest = lines.filter((line) => line !== inTitle);
  const shown = rest.slice(0, HITS_OF_A_SESSION);
  const widest = Math.max(0, ...shown.map(({ hit }) => widthOf(placeOf(hit))));
  const more = rest.length - shown.length;
  const showText = (turn?: number): string =>
    commandText(
      ["show", shortId(session.id), ...(turn === undefined ? [] : ["--turn", String(turn)])],
      isDemo,
    );
  const copies = new Set(hits.flatMap(({ alsoIn = [] }) => alsoIn.map(formatKey))).size;
  const facts = [
    shortId(session.id),
    session.source,
    "person" in session && typeof session.person === "string" ? oneLine(session.person) : "",
    ago(session.updatedAt, now),
    isGone ? "files gone" : "",
    copies > 0 ? `also in ${plural(copies, "copy", "copies")}` : "",
  ]
    .filter(Boolean)
    .join(" · ");
  const canContinue = session.resume !== undefined && !isGone;
  /** What is on the hub is read there. */
  const link = hub === undefined ? undefined : `${hub}/s/${encodeURIComponent(formatKey(session))}`;
  const local = [
    ...(canContinue ? [shortResumeText(session, isDemo)] : []),
    ...(!canContinue || shown.every(({ hit }) => hit.turn === undefined) ? [showText()] : []),
  ];
  const next = link === undefined ? local : [link];
  const commands = shown.map(({ hit }) =>
    hit.turn === undefined || link !== undefined ? "" : showText(hit.turn),
  );
  const hitLines = (place: string, snippet: string, command: string): string[] => {
    const room = Math.max(20, columns - widest - 4);
    const beside = room - widthOf(command) - 2;
    const line = (most: number): string =>
      `  ${style.cyan(pad(place, widest))}  ${painted(snippet, most, style.yellow)}`;
    if (command === "") return [line(room)];
    // A command is whole, however narrow the terminal: half of it cannot be copied.
    if (beside < ENOUGH_OF_A_SNIPPET) return [line(room), `${" ".repeat(widest + 4)}${style.dim(command)}`];
    const text = line(beside);
    return [
      `${text}${" ".repeat(Math.max(0, columns - widthOf(text) - widthOf(command)))}${style.dim(command)}`,
    ];
  };
  return [
    style.bold(painted(inTitle?.snippet ?? title, columns, style.yellow)),
    ...joinedLines([facts, ...next], columns).map(style.dim),
    ...shown.flatMap(({ hit, snippet }, index) => hitLines(placeOf(hit), snippet, commands[index] ?? "")),
    ...(more > 0 ? [style.dim(`  and ${more} more`)] : []),
  ];
}

/** As few lines as hold them whole. */
function joinedLines(pieces: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const longer = `${lines.at(-1)} · ${piece}`;
    if (lines.length > 0 && widthOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(lines.length === 0 ? cut(piece, columns) : `  ${piece}`);
  }
  return lines;
}

/** What is known about a session is a list; what was said is read as one. */
const linesOf = (hit: Hit): string[] => (hit.where === "session" ? hit.snippet.split("\n") : [hit.snippet]);

const isTitle = (hit: Hit, snippet: string, title: string): boolean =>
  hit.where === "session" && title.startsWith(oneLine(unmarked(snippet)).replace(/…$/, ""));

function placeOf(hit: Hit): string {
  if (hit.turn !== undefined) return `turn ${hit.turn}`;
  return hit.label === undefined ? "about" : cut(oneLine(hit.label), LONGEST_PLACE);
}
