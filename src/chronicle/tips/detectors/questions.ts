/** Detectors about prompts: questions that were answered before, too few words, too many, and too large a model. */
import { clip } from "../../../model/summary/summary.ts";
import type { PromptRow } from "../../../store/chronicle/habit-rows.ts";
import { sentencesOf } from "../../prose.ts";
import { contentWords, isQuestion, likeness } from "../../words.ts";
import { THRESHOLDS } from "../thresholds.ts";
import { count, type Detector, seenAt } from "./detector.ts";

const DAY_MS = 86_400_000;

interface Asked {
  readonly row: PromptRow;
  readonly words: ReadonlySet<string>;
}

/** The answer is there already, in another session. */
export const questionAgain: Detector = (habits) => {
  const asked = [...habits.prompts.values()].flat().flatMap((row): Asked[] => {
    if (!row.isAnswered || row.length > LONGEST_QUESTION || !isQuestion(row.text)) return [];
    const words = contentWords(row.text);
    return words.size >= THRESHOLDS.questionAgain.words ? [{ row, words }] : [];
  });
  const isCopy = copiesIn(habits.prompts);
  return groupAlike(asked, isCopy).map((group) => {
    const [first] = group;
    const question = clip(first?.row.text ?? "", 120);
    return {
      kind: "question-again",
      title: `Asked in ${group.length} sessions: "${question}"`,
      suggestion:
        "Search your sessions before you ask again: `rethread search` finds the earlier answer. What is asked often belongs into the documents of the repository.",
      evidence: group.flatMap(({ row }) => seenAt(habits, row.session, row.turn)),
      ...(first && { remedy: { action: "show" as const, session: keyOf(habits, first.row.session) } }),
    };
  });
};

/** One that stands by itself; longer ones are part of a conversation. */
const LONGEST_QUESTION = 200;
const keyOf = ({ sessions }: Parameters<Detector>[0], key: string): string => {
  const session = sessions.get(key);
  return session ? `${session.source}:${session.id}` : key;
};

/** More questions than this with the same two words are not alike for it. */
const MOST_IN_BLOCK = 60;

/** Questions of different sessions that are alike and days apart, earliest first. Compared only where two of their three longest words agree. */
function groupAlike(
  asked: readonly Asked[],
  isCopy: (one: PromptRow, other: PromptRow) => boolean,
): Asked[][] {
  const blocks = new Map<string, Asked[]>();
  for (const each of asked)
    for (const block of blocksOf(each.words)) blocks.set(block, [...(blocks.get(block) ?? []), each]);
  const groupOf = new Map<Asked, Set<Asked>>();
  for (const block of blocks.values()) {
    if (block.length > MOST_IN_BLOCK) continue;
    for (const [at, one] of block.entries())
      for (const other of block.slice(at + 1)) {
        if (!isAgain(one, other) || isCopy(one.row, other.row)) continue;
        const joined = new Set([...(groupOf.get(one) ?? [one]), ...(groupOf.get(other) ?? [other])]);
        for (const each of joined) groupOf.set(each, joined);
      }
  }
  return [...new Set(groupOf.values())].map((group) => {
    const sorted = [...group].sort((a, b) => (a.row.at < b.row.at ? -1 : 1));
    return sorted.filter(
      ({ row }, at) => sorted.findIndex((each) => each.row.session === row.session) === at,
    );
  });
}

function blocksOf(words: ReadonlySet<string>): string[] {
  const [a = "", b = "", c = ""] = [...words].sort((x, y) => y.length - x.length || (x < y ? -1 : 1));
  return [`${a} ${b}`, `${a} ${c}`, `${b} ${c}`];
}

function isAgain(one: Asked, other: Asked): boolean {
  if (one.row.session === other.row.session) return false;
  const apart = Math.abs(Date.parse(one.row.at) - Date.parse(other.row.at));
  return (
    apart >= THRESHOLDS.questionAgain.days * DAY_MS &&
    likeness(one.words, other.words) >= THRESHOLDS.questionAgain.likeness
  );
}

/** Two sessions that go on alike are one that was copied; nobody asked twice. */
function copiesIn(
  prompts: Parameters<Detector>[0]["prompts"],
): (one: PromptRow, other: PromptRow) => boolean {
  const beside = ({ session, turn }: PromptRow, by: number): string | undefined =>
    prompts.get(session)?.find((row) => row.turn === turn + by)?.text;
  return (one, other) =>
    [-1, 1].some((by) => {
      const [a, b] = [beside(one, by), beside(other, by)];
      return a !== undefined && a === b;
    });
}

/** A request spent on finding out what is meant. */
export const vagueStart: Detector = (habits) => {
  const evidence = habits.shortOpenings.flatMap(({ session, prompt, answer }) => {
    const isShort = prompt.trim().split(/\s+/).length <= THRESHOLDS.vagueStart.words;
    const sentences = sentencesOf(answer);
    const asksBack = [...sentences.slice(0, 2), sentences.at(-1) ?? ""].some((each) => /[?？]$/.test(each));
    return isShort && asksBack ? seenAt(habits, session, 0, `"${clip(prompt, 40)}"`) : [];
  });
  if (evidence.length < THRESHOLDS.vagueStart.sessions) return [];
  return [
    {
      kind: "vague-start",
      title: `${count(evidence.length, "session", "sessions")} began with a word or two, and the agent had to ask what is meant`,
      suggestion: "Say in the first prompt what is wrong, where, and how you will know that it is done.",
      evidence,
    },
  ];
};

/** A line of prose is letters and spaces; one that a program printed has numbers, paths and brackets in it. */
const PROSE_SHARE = 0.8;

/** Whether most lines of a text look as if a program had printed them. Templates and specifications do not. */
function looksPrinted(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim().length > 10);
  const printed = lines.filter((line) => (line.match(/[\p{L} ]/gu)?.length ?? 0) < PROSE_SHARE * line.length);
  return printed.length > lines.length / 2;
}

/** The whole text goes to the model with every later request. */
export const pastedOutput: Detector = (habits) => {
  const { times, length, lines } = THRESHOLDS.pastedOutput;
  const evidence = [...habits.prompts.values()]
    .flat()
    .filter((row) => row.length >= length && row.lines >= lines && looksPrinted(row.text))
    .flatMap(({ session, turn, length: size, lines: all }) =>
      seenAt(habits, session, turn, `${all} lines, ${Math.round(size / 1000)}k characters`),
    );
  if (evidence.length < times) return [];
  return [
    {
      kind: "pasted-output",
      title: `Long output was pasted into ${evidence.length} prompts`,
      suggestion:
        "Save it to a file and name the file, or let the agent run the command: it then reads the lines that matter, and the rest stays out of the context.",
      evidence,
    },
  ];
};

const NUDGE =
  /^(?:(?:ok|okay|yes|ja|and|und|please|bitte|now|so|then|just)[\s,]+)*(?:continue|contine|go on|keep going|carry on|next(?: one)?|more|resume|(?:and )?(?:now )?the rest|finish it|weiter(?:machen| so)?|mach(?:e)? weiter|fahr(?:e)? fort|continuez?|continue s'il te plaît|la suite|contin[uú]a|sigue|続けて(?:ください)?|继续)(?:[\s,]+(?:please|bitte|then|now))*$/i;

/** Whether a prompt says no more than that the agent should go on. */
export const isNudge = (prompt: string): boolean =>
  NUDGE.test(
    prompt
      .trim()
      .replace(/[.!…。]+$/g, "")
      .trim(),
  );

/** Each of them sends the whole context once more. */
export const nudged: Detector = (habits) => {
  const evidence = [...habits.prompts].flatMap(([session, rows]) => {
    const nudges = rows.filter(({ text, length }) => length <= 40 && isNudge(text));
    const last = nudges.at(-1);
    return last && nudges.length >= THRESHOLDS.nudged.times
      ? seenAt(habits, session, last.turn, `${nudges.length} times, as "${clip(last.text, 40)}"`)
      : [];
  });
  if (evidence.length === 0) return [];
  return [
    {
      kind: "nudged",
      title: `The agent had to be told to continue, again and again, in ${count(evidence.length, "session", "sessions")}`,
      suggestion:
        "Say at the start how far it should go (all files, until the tests pass), so that it does not stop after each part.",
      evidence,
    },
  ];
};

/** What a smaller model answers as well. */
export const largeModel: Detector = (habits) => {
  const { turns, share, prompt, output } = THRESHOLDS.largeModel;
  return [...Map.groupBy(habits.modelTurns, ({ model }) => model)].flatMap(([model, all]) => {
    const small = all.filter((each) => each.calls === 0 && each.prompt <= prompt && each.output <= output);
    if (small.length < turns || small.length < share * all.length) return [];
    return [
      {
        kind: "large-model" as const,
        title: `${model} answered ${small.length} small questions, of ${all.length} turns in all`,
        suggestion:
          "Ask short questions that need no tools in a smaller model; keep the large one for work over many files.",
        evidence: small.flatMap(({ session, turn }) => seenAt(habits, session, turn)),
      },
    ];
  });
};
