/** Detectors about what tools give back: a context that one of them fills, and files that are read again and again. */
import { clip } from "../../../model/summary/summary.ts";
import { wayFrom } from "../../../model/values/paths.ts";
import { THRESHOLDS } from "../thresholds.ts";
import { count, type Detector, seenAt } from "./detector.ts";

const thousands = (characters: number): string => `${Math.round(characters / 1000)}k characters`;

/** A few long results are most of what the model has to read, in every later request of the session. */
export const contextFilled: Detector = (habits) => {
  const { sum, share } = THRESHOLDS.contextFilled;
  const totalOf = (session: string): number => habits.outputTotals.get(session) ?? 0;
  const evidence = [
    ...Map.groupBy(habits.largeOutputs, ({ session, tool }) => `${session} ${tool}`).values(),
  ].flatMap((outputs) => {
    const characters = outputs.reduce((all, { size }) => all + size, 0);
    const [largest] = outputs.toSorted((a, b) => b.size - a.size);
    if (!largest || characters < sum || characters < share * totalOf(largest.session)) return [];
    const what = clip(largest.label || largest.tool, 80);
    return seenAt(habits, largest.session, largest.turn, `${what}: ${thousands(characters)}`);
  });
  if (evidence.length === 0) return [];
  return [
    {
      kind: "context-filled",
      title: `The output of one tool filled the context of ${count(evidence.length, "session", "sessions")}`,
      suggestion:
        "Ask for less: a range of lines, `| tail -50`, `--quiet`, `rg -m 5`, a LIMIT; or let the command write to a file and search that. What is already in the context can be left out of a copy.",
      evidence,
      ...(evidence[0] && {
        remedy: {
          action: "clone",
          session: `${evidence[0].session.source}:${evidence[0].session.id}`,
          args: { budget: "60k" },
        },
      }),
    },
  ];
};

/** The same bytes go to the model several times. */
export const fileReadAgain: Detector = (habits) => {
  const evidence = habits.repeatedReads.flatMap(({ session, path, times, size, turn }) =>
    times >= THRESHOLDS.fileReadAgain.times && size >= THRESHOLDS.fileReadAgain.size
      ? seenAt(
          habits,
          session,
          turn,
          `${within(habits, session, path)}, ${times} times, ${thousands(size)} each`,
        )
      : [],
  );
  if (evidence.length === 0) return [];
  return [
    {
      kind: "file-read-again",
      title: `The same content of a file was read again and again in ${count(evidence.length, "place", "places")}`,
      suggestion:
        "Name the function or the lines that matter instead of the file, and split files that every change needs whole. In a long session, say that the file was read already.",
      evidence,
    },
  ];
};

const within = (habits: Parameters<Detector>[0], session: string, path: string): string => {
  const workspace = habits.sessions.get(session)?.workspace;
  return (workspace === undefined ? undefined : wayFrom(workspace, path)) || path;
};

/** Reading these is the point of those files. */
const INSTRUCTIONS =
  /(?:^|[\\/])(?:AGENTS|CLAUDE|GEMINI|copilot-instructions|SKILL)\.md$|\.instructions\.md$/i;

/** What every session has to find out by itself can be told to all of them. */
export const fileReadEverywhere: Detector = (habits) => {
  const { sessions: least, share, changed } = THRESHOLDS.fileReadEverywhere;
  const held = Map.groupBy(habits.sessions.values(), ({ repository }) => repository ?? "");
  return habits.commonFiles.flatMap((file) => {
    const all = held.get(file.repository)?.length ?? 0;
    if (all < least || file.sessions < share * all || file.changed > changed * file.sessions) return [];
    if (INSTRUCTIONS.test(file.path)) return [];
    const path = within(habits, file.session, file.path);
    return [
      {
        kind: "file-read-everywhere" as const,
        title: `${path} is read in ${file.sessions} of ${all} sessions of ${file.repository}, and rarely changed`,
        suggestion: `Put what agents look for in ${path} into the instructions of the repository, in a few lines.`,
        evidence: seenAt(habits, file.session, file.turn),
      },
    ];
  });
};
