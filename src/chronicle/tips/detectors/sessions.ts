/** Detectors about sessions as a whole: left open, compacted, corrected, and repositories without instructions. */
import { clip } from "../../../model/summary/summary.ts";
import type { PromptRow } from "../../../store/chronicle/habit-rows.ts";
import { repeatedCorrections } from "../../improve/corrections.ts";
import { placeKey } from "../../places.ts";
import { openEndOf } from "../../standup/open-ends.ts";
import { contentWords, likeness } from "../../words.ts";
import { THRESHOLDS } from "../thresholds.ts";
import { count, type Detector, seenAt } from "./detector.ts";

const DAY_MS = 86_400_000;

/** Work that was paid for, and is waiting for one more answer. */
export const leftOpen: Detector = (habits) => {
  const { sessions: least, days } = THRESHOLDS.leftOpen;
  const evidence = habits.ends.flatMap((end) => {
    const session = habits.sessions.get(end.session);
    const age = habits.now.getTime() - Date.parse(session?.updatedAt ?? "");
    if (!session || session.end !== session.last || age < days * DAY_MS) return [];
    const open = openEndOf(end, habits.now);
    return open ? seenAt(habits, end.session, end.turn, `${open.kind}: ${clip(open.text, 100)}`) : [];
  });
  const [first] = evidence;
  if (!first || evidence.length < least) return [];
  return [
    {
      kind: "left-open",
      title: `${evidence.length} sessions ended in the middle of something and were never continued`,
      suggestion: "Continue them where they stopped, or delete them if they are no longer needed.",
      evidence,
      remedy: { action: "resume", session: `${first.session.source}:${first.session.id}` },
    },
  ];
};

/** Said by somebody who has said it before. */
const REMINDER =
  /\b(?:as i (?:already )?(?:said|told|mentioned|wrote)|like i said|i (?:already |just )?(?:said|told you|mentioned|asked you)|(?:did )?you (?:have |already )?forg[oe]t|you(?:'ve| have) forgotten|remember(?:,| that) i|wie (?:schon |bereits )?gesagt|ich (?:hatte|habe) (?:dir )?(?:schon |bereits )?gesagt|du hast vergessen)\b/i;

export const compactionLostTask: Detector = (habits) => {
  const evidence = [...habits.prompts].flatMap(([session, rows]) => {
    const again = rows.find((row, at) => isToldAgain(rows, row, at));
    return again ? seenAt(habits, session, again.turn, `"${clip(again.text, 100)}"`) : [];
  });
  if (evidence.length === 0) return [];
  return [
    {
      kind: "compaction-lost-task",
      title: `After a compaction, the task had to be explained again in ${count(evidence.length, "session", "sessions")}`,
      suggestion:
        "Before the context is full, write the task and its rules into a file (a plan, or the instructions) that survives the summary; or continue in a smaller copy that keeps your own words.",
      evidence,
      ...(evidence[0] && {
        remedy: {
          action: "clone" as const,
          session: `${evidence[0].session.source}:${evidence[0].session.id}`,
          args: { budget: "60k" },
        },
      }),
    },
  ];
};

function isToldAgain(rows: readonly PromptRow[], row: PromptRow, at: number): boolean {
  const { turns, words: least, likeness: enough } = THRESHOLDS.compactionLostTask;
  const compacted = rows.findLast((each, index) => index < at && at - index <= turns && each.isCompacted);
  if (!compacted) return false;
  if (REMINDER.test(row.text)) return true;
  const words = contentWords(row.text);
  return (
    words.size >= least &&
    rows.some((each) => each.turn <= compacted.turn && likeness(words, contentWords(each.text)) >= enough)
  );
}

/** Each summary loses something, and says the rest once more. */
export const compactedOften: Detector = (habits) => {
  const evidence = [...habits.prompts].flatMap(([session, rows]) => {
    const compacted = rows.filter(({ isCompacted }) => isCompacted);
    const last = compacted.at(-1);
    return last && compacted.length >= THRESHOLDS.compactedOften.times
      ? seenAt(habits, session, last.turn, `${compacted.length} compactions in ${rows.length} turns`)
      : [];
  });
  if (evidence.length === 0) return [];
  return [
    {
      kind: "compacted-often",
      title: `${count(evidence.length, "session was", "sessions were")} compacted ${THRESHOLDS.compactedOften.times} times or more`,
      suggestion:
        "Begin a new session for the next task, or fork where the task began; a copy within a budget drops old tool output first and keeps what was said.",
      evidence,
      ...(evidence[0] && {
        remedy: {
          action: "clone" as const,
          session: `${evidence[0].session.source}:${evidence[0].session.id}`,
          args: { budget: "60k" },
        },
      }),
    },
  ];
};

/** What has to be said in each session can be said once. */
export const correctionAgain: Detector = (habits) =>
  repeatedCorrections(habits, THRESHOLDS.correctionAgain.sessions).map(
    ({ place, repository, line, evidence, sessions }) => ({
      kind: "correction-again",
      title: `Said in ${sessions} sessions of ${repository ?? place}: ${clip(line, 100)}`,
      suggestion: "Write it into the instructions of the repository, where every session reads it.",
      evidence,
      remedy: {
        action: "chronicle",
        args: { report: "improve", ...(repository !== undefined && { repo: repository }) },
      },
    }),
  );

/** Every session begins with finding out what a few lines could tell it. */
export const noInstructions: Detector = (habits) => {
  const { sessions: least, turns } = THRESHOLDS.noInstructions;
  const bare = [...Map.groupBy(habits.sessions.values(), placeKey).values()].flatMap((sessions) => {
    const [latest] = sessions;
    const all = sessions.reduce((sum, session) => sum + session.turns, 0);
    if (!latest || sessions.length < least || all < turns) return [];
    // One folder with instructions is enough: others may be old clones.
    const known = sessions.flatMap(({ workspace }) => habits.instructions.get(workspace ?? "") ?? []);
    if (known.length === 0 || known.includes(true)) return [];
    return [{ name: latest.repository ?? latest.workspace ?? "", latest, sessions: sessions.length }];
  });
  const [first, ...others] = bare.toSorted((a, b) => b.sessions - a.sessions);
  if (!first) return [];
  return [
    {
      kind: "no-instructions",
      title:
        others.length === 0
          ? `${first.name} has no instructions for agents, after ${first.sessions} sessions`
          : `${bare.length} repositories have no instructions for agents`,
      suggestion:
        "Create AGENTS.md with how to build, test and lint, and what to leave alone: every session reads it. `rethread chronicle improve` proposes lines from what you corrected.",
      evidence: [first, ...others].flatMap(({ latest, name, sessions }) =>
        seenAt(habits, latest.key, null, `${name}, ${count(sessions, "session", "sessions")}`),
      ),
      remedy: {
        action: "chronicle",
        args: {
          report: "improve",
          ...(first.latest.repository !== undefined && { repo: first.latest.repository }),
        },
      },
    },
  ];
};
