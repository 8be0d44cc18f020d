/**
 * A briefing of a session for somebody who takes the work up: goal, state, decisions, files, open questions and last
 * errors. Made of the turns alone, so the same turns always give the same briefing; each fact names its turn.
 */
import { wayFrom } from "../values/paths.ts";
import { clip } from "./summary.ts";
import type { TurnFacts } from "./turn-facts.ts";
import { fileGist, foldWork } from "./work-fold.ts";

export interface BriefFact {
  readonly turn: number;
  readonly text: string;
}

/** In the order in which they are read. */
export const BRIEF_SECTIONS = {
  goal: "Goal",
  state: "State",
  decisions: "Decisions",
  files: "Files",
  open: "Open questions",
  errors: "Last errors",
} as const;

export type BriefSection = keyof typeof BRIEF_SECTIONS;

/** Of each section the most important facts first. */
export type Brief = Readonly<Record<BriefSection, readonly BriefFact[]>>;

export interface BriefAbout {
  /** Paths below it are written relative to it. */
  readonly workspace?: string;
  /** What the last task list of the session still has, and the turn that it is from. */
  readonly tasks?: readonly BriefFact[];
}

/** Nobody reads more of one kind, and a budget may have no end. */
const MOST = 40;

export function toBrief(facts: readonly TurnFacts[], { workspace, tasks = [] }: BriefAbout = {}): Brief {
  const { changed, runs, troubles, failing } = foldWork(facts);
  const [first, last] = [facts[0], facts.at(-1)];
  const short = (path: string): string =>
    (workspace === undefined ? undefined : wayFrom(workspace, path)) ?? path;
  const told = (of: (each: TurnFacts) => readonly string[]): BriefFact[] =>
    facts.toReversed().flatMap((each) => of(each).map((text) => ({ turn: each.index, text })));
  const answered = facts.findLast(({ outcome }) => outcome !== "");
  const isUnanswered = last !== undefined && last.outcome === "";
  return {
    goal: unique([
      ...(first ? [{ turn: first.index, text: `First asked: ${clip(first.request, 500)}` }] : []),
      ...(last && last !== first
        ? [{ turn: last.index, text: `Last asked: ${clip(last.request, 400)}` }]
        : []),
      ...told(({ wishes }) => wishes.map((wish) => `The user insists: ${wish}`)),
    ]),
    state: unique([
      ...(answered ? [{ turn: answered.index, text: `Last answer: ${clip(answered.outcome, 400)}` }] : []),
      ...(isUnanswered ? [{ turn: last.index, text: "The last request has no answer yet" }] : []),
      ...told(({ refs }) => refs.map(({ type, value }) => `${type} ${value}`)),
      ...runs
        .toReversed()
        .map(({ what, ok, turn }) => ({ turn, text: `\`${what}\` ${ok ? "succeeded" : "failed"}` })),
    ]),
    decisions: unique(told(({ remarks }) => remarks)),
    files: unique(
      changed.map((file) => ({ turn: file.last, text: `${short(file.path)}: ${fileGist(file)}` })),
    ),
    open: unique([...(last?.open ?? []).map((text) => ({ turn: last?.index ?? 0, text })), ...tasks]),
    errors: unique([
      ...failing
        .toReversed()
        .map(({ turn, what, error }) => ({ turn, text: `\`${what}\` still fails: ${error}` })),
      ...troubles
        .filter(({ fixedIn }) => fixedIn !== undefined)
        .toReversed()
        .map(({ turn, what, error, fixedIn }) => ({
          turn,
          text: `\`${what}\` failed: ${error} (worked in turn ${fixedIn})`,
        })),
    ]),
  };
}

function unique(facts: readonly BriefFact[]): BriefFact[] {
  const seen = new Map<string, BriefFact>();
  for (const { turn, text } of facts) if (!seen.has(text)) seen.set(text, { turn, text: clip(text, 520) });
  return [...seen.values()].slice(0, MOST);
}

/** What is told first when there is little room: so many facts of a section in each round. */
const ROUNDS: readonly Readonly<Partial<Record<BriefSection, number>>>[] = [
  { goal: 1, state: 1 },
  { goal: 1, open: 2, errors: 1 },
  { decisions: 2, files: 3 },
  { state: 2, open: 2, errors: 1, decisions: 2, files: 3 },
];

interface Chosen {
  readonly section: BriefSection;
  readonly fact: BriefFact;
}

function inOrder(brief: Brief): Chosen[] {
  const left = new Map(
    (Object.keys(BRIEF_SECTIONS) as BriefSection[]).map((section) => [section, [...brief[section]]]),
  );
  const chosen: Chosen[] = [];
  for (let round = 0; [...left.values()].some((facts) => facts.length > 0); round++) {
    const counts = ROUNDS[round];
    for (const [section, facts] of left)
      for (const fact of facts.splice(0, counts ? (counts[section] ?? 0) : 2)) chosen.push({ section, fact });
  }
  return chosen;
}

export interface FittedBrief {
  readonly markdown: string;
  /** How many facts of each section are not in it. */
  readonly left: Readonly<Partial<Record<BriefSection, number>>>;
}

/** As much of it as fits, the most important first, as Markdown. `cite` names the session, the turn and its time. */
export function fitBrief(
  brief: Brief,
  cite: (turn: number) => string,
  fits: (markdown: string) => boolean,
): FittedBrief {
  const all = inOrder(brief);
  let [few, many] = [0, all.length];
  while (few < many) {
    const half = Math.ceil((few + many) / 2);
    if (fits(toMarkdown(all.slice(0, half), cite))) few = half;
    else many = half - 1;
  }
  const left: Partial<Record<BriefSection, number>> = {};
  for (const { section } of all.slice(few)) left[section] = (left[section] ?? 0) + 1;
  return { markdown: toMarkdown(all.slice(0, few), cite), left };
}

/** Facts of one turn share a citation. */
function toMarkdown(chosen: readonly Chosen[], cite: (turn: number) => string): string {
  return (Object.keys(BRIEF_SECTIONS) as BriefSection[])
    .flatMap((section) => {
      const facts = chosen.flatMap((each) => (each.section === section ? [each.fact] : []));
      if (facts.length === 0) return [];
      const turns = Map.groupBy(facts, ({ turn }) => turn);
      const lines = [...turns].flatMap(([turn, own]) => [cite(turn), ...own.map(({ text }) => `- ${text}`)]);
      return [`## ${BRIEF_SECTIONS[section]}\n${lines.join("\n")}`];
    })
    .join("\n\n");
}
