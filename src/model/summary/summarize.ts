/**
 * Makes a summary from the turns themselves, without a model; the same turns always give the same summary. It quotes
 * requests and answers, and lists commands, files, errors with their fixes, and open ends.
 */

import type { Turn } from "../session/turns.ts";
import { shellLine } from "../text/shell-words.ts";
import { formatKey, type SessionKey } from "../values/id.ts";
import { wayFrom } from "../values/paths.ts";
import { historyLines } from "./history.ts";
import {
  clip,
  fitLines,
  fitText,
  SECTION_SHARES,
  type Section,
  SUMMARY_LIMIT,
  type Summary,
} from "./summary.ts";
import { type Deed, type TurnFacts, toFacts } from "./turn-facts.ts";
import { toWork, type Work } from "./work.ts";

export interface Summarizer {
  /** The next turn that the summary is to stand for. */
  add(turn: Turn): void;
  /** All that was added is forgotten, but for what is left; an earlier summary, where there is one, stands for it. */
  restart(earlier?: Summary, isLeft?: (turn: number) => boolean): void;
  end(about?: About): Summary;
}

/** What only who asks for it knows. */
export interface About {
  /** Paths below it are written relative to it. */
  readonly workspace?: string;
  /** How many turns come behind it, word for word. */
  readonly followed?: number;
  /** Where the turns can still be read. */
  readonly source?: SessionKey;
  /** Open points of the plan that the session keeps beside its log. */
  readonly planned?: readonly string[];
  /** In characters. */
  readonly limit?: number;
}

export function createSummarizer(): Summarizer {
  let facts: TurnFacts[] = [];
  let earlier: Summary | undefined;
  return {
    add: (turn) => void facts.push(toFacts(turn)),
    restart(summary, isLeft = () => false) {
      facts = facts.filter(({ index }) => isLeft(index));
      earlier = summary;
    },
    end: (about = {}) => toSummary(facts, earlier, about),
  };
}

export function toSummary(
  facts: readonly TurnFacts[],
  earlier: Summary | undefined,
  about: About = {},
): Summary {
  const { limit = SUMMARY_LIMIT, workspace } = about;
  const shown = facts.map((each) => ({ ...each, deeds: each.deeds.map((deed) => below(deed, workspace)) }));
  const work = toWork(shown);
  const told: Record<Section, (room: number) => string> = {
    overview: () => overviewOf(shown, earlier, about),
    history: (room) => historyLines(shown, room).join("\n"),
    workDone: (room) => fitLines(work.done, room),
    technicalDetails: (room) => fitLines(detailsOf(shown, work), room),
    importantFiles: (room) => fitLines(work.files, room),
    nextSteps: (room) => fitLines(nextSteps(shown, work, about), room),
  };
  const roomFor = (name: Section): number => Math.floor((limit * SECTION_SHARES[name]) / 100);
  /** An earlier summary has as much room as the new turns; so the whole is bounded however often it is taken up. */
  const isLong = earlier !== undefined && lengthOf(earlier) > limit;
  const section = (name: Section): string => {
    const before = fitText(earlier?.[name] ?? "", isLong ? roomFor(name) : limit);
    const since = shown.length === 0 ? "" : told[name](roomFor(name));
    if (before !== "" && name === "nextSteps" && shown.length > 0)
      return [since, PLANNED_BEFORE, before].filter((text) => text !== "").join("\n");
    return before === "" || since === "" ? before + since : `${before}\n${THEN}\n${since}`;
  };
  return {
    title: titleOf(shown[0]?.request ?? "") ?? titleOf(earlier?.title ?? "") ?? "Work so far",
    overview: section("overview"),
    history: section("history"),
    workDone: section("workDone") || "No files were changed and no commands were run in these turns.",
    technicalDetails: section("technicalDetails") || "Nothing beyond what the history says.",
    importantFiles: section("importantFiles") || "None were touched.",
    nextSteps: section("nextSteps") || "Nothing was left open in these turns.",
  };
}

const THEN = "After that:";
const PLANNED_BEFORE = "Planned before these turns, so perhaps done by now:";

const lengthOf = (summary: Summary): number =>
  (Object.keys(SECTION_SHARES) as Section[]).reduce((sum, name) => sum + summary[name].length, 0);

function overviewOf(facts: readonly TurnFacts[], earlier: Summary | undefined, about: About): string {
  const [first, last] = [facts[0], facts.at(-1)];
  if (!first || !last) return "";
  const days = [first, last]
    .map(({ startedAt }) => startedAt?.slice(0, 10))
    .filter((day) => day !== undefined);
  const when = days.length === 2 && days[0] !== days[1] ? `, ${days[0]} to ${days[1]}` : "";
  const { followed = 0, source } = about;
  return [
    `${earlier ? "The next request" : "The first request"}: "${clip(first.request, 500)}"`,
    ...(last !== first ? [`The last request of this part: "${clip(last.request, 300)}"`] : []),
    `This replaces ${countOf(facts.length, "turn")}${when}, summarized from the log: what was asked, done, decided and left open.${
      followed > 0 ? ` The later turns follow word for word: ${countOf(followed, "turn")}.` : ""
    }${source ? ` The full session can still be read: ${shellLine`rethread show ${formatKey(source)}`}` : ""}`,
  ].join("\n");
}

/** The latest first: where room is short, what is old goes. */
function detailsOf(facts: readonly TurnFacts[], { troubles }: Work): string[] {
  const lines = (head: string, of: (each: TurnFacts) => readonly string[]): string[] => {
    const told = new Set(facts.toReversed().flatMap((each) => of(each).map((text) => `- ${text}`)));
    return told.size > 0 ? [head, ...told] : [];
  };
  return [
    ...lines("What the user insisted on:", ({ wishes }) => wishes).slice(0, 13),
    ...(troubles.length > 0 ? ["What failed, and how it ended:", ...troubles.slice(0, 20)] : []),
    ...lines("Decided and found out:", ({ remarks }) => remarks),
  ];
}

function nextSteps(facts: readonly TurnFacts[], { failing }: Work, { planned = [] }: About): string[] {
  const last = facts.at(-1);
  if (!last) return [];
  const unanswered =
    last.outcome === "" ? [`- The last request had no answer yet: "${clip(last.request, 300)}"`] : [];
  return [
    ...unanswered,
    ...last.open.map((text) => `- Left open by the agent: ${text}`),
    ...failing,
    ...planned.map((text) => `- In the plan: ${clip(text, 200)}`),
  ];
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function below(deed: Deed, workspace: string | undefined): Deed {
  if (deed.kind !== "touch" || workspace === undefined) return deed;
  return { ...deed, path: wayFrom(workspace, deed.path) ?? deed.path };
}

/** How people begin to ask, and what a cut leaves at the end. */
const FILLER = new Set(
  "a able about add after also an and are as at be but by can could do for from go have how i if in into is it its just let let's like make me my need next not now of ok okay on or our out please should so that the then there this to up us want was we what when why will with would yes you your".split(
    " ",
  ),
);
/** They say what is to be done, so they may begin a title. */
const VERBS = new Set(["add", "make", "do", "go"]);
const MOST = 6;

/** Two to six words; nothing where there are no such words. */
export function titleOf(request: string): string | undefined {
  const clauses = request
    .replace(/[\p{C}`*_#<>|"“”[\](){}]+/gu, (signs) => (signs.includes("\n") ? "\n" : " "))
    .split(/[.!?;:,]\s|\n/)
    .map(wordsOf);
  const words = clauses.find((clause) => clause.length >= 2) ?? clauses.flat();
  const title = words.slice(0, MOST).join(" ");
  return words.length < 2 ? undefined : title.charAt(0).toUpperCase() + title.slice(1);
}

function wordsOf(clause: string): string[] {
  const words = clause
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}/.@-]+|[^\p{L}\p{N}+%]+$/gu, ""))
    .filter((word) => word !== "" && word.length <= 40);
  const isFiller = (word: string): boolean => FILLER.has(word.toLowerCase());
  const start = words.findIndex((word) => !isFiller(word) || VERBS.has(word.toLowerCase()));
  const cut = start < 0 ? [] : words.slice(start, start + MOST);
  return cut.slice(0, cut.findLastIndex((word) => !isFiller(word)) + 1);
}
