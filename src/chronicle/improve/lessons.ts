/** Finds lessons in the store: where the agent was corrected, tried the wrong command, needed many runs, or was reverted. */
import { clip } from "../../model/summary/summary.ts";
import { wayFrom } from "../../model/values/paths.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import {
  type CallRow,
  changesIn,
  changingTools,
  notableCalls,
  restoringCommands,
} from "../../store/chronicle/call-rows.ts";
import { type PromptRow, prompts } from "../../store/chronicle/habit-rows.ts";
import {
  type RangedSession,
  type ReportScope,
  rangedSessions,
  withRange,
} from "../../store/chronicle/range.ts";
import { bareCommand, isLooking, isShell } from "../commands.ts";
import { followCalls } from "../followed-calls.ts";
import { placeKey } from "../places.ts";
import type { Evidence, Redact } from "../report.ts";
import { wrongCommands } from "../tips/detectors/commands.ts";
import { allCorrections } from "./corrections.ts";
import { LESSON_THRESHOLDS, type Lesson, toLesson } from "./lesson.ts";

export interface LessonRows {
  readonly sessions: ReadonlyMap<string, RangedSession>;
  readonly prompts: ReadonlyMap<string, readonly PromptRow[]>;
  readonly calls: ReadonlyMap<string, readonly CallRow[]>;
  readonly changingTools: ReadonlySet<string>;
  /** Files as they were named, each with the turn in which its change was taken back. */
  readonly reverted: readonly { readonly session: string; readonly turn: number; readonly path: string }[];
}

export const readLessonRows = (db: Database, scope: ReportScope): LessonRows =>
  withRange(db, scope, () => {
    const rows = prompts(db);
    return {
      sessions: new Map(rangedSessions(db).map((session) => [session.key, session])),
      prompts: Map.groupBy(rows, ({ session }) => session),
      calls: followCalls(db, notableCalls(db), {
        times: LESSON_THRESHOLDS.testsRepeated.failures,
        sessions: 2,
      }),
      changingTools: changingTools(db),
      reverted: [...takenBack(db, rows), ...restored(db)],
    };
  });

/** The user wants the last change undone. */
const TAKE_BACK =
  /^(?:(?:no+|nope|nein|please|bitte|ok(?:ay)?)[\s,.!]*)*(?:revert|undo|roll ?back|take (?:that|it|this) back|put (?:that|it|this) back|mach das rückgängig|annule)\b/i;
const LONGEST_ORDER = 160;

function takenBack(db: Database, rows: readonly PromptRow[]): LessonRows["reverted"] {
  const orders = rows.filter(
    ({ turn, text, length }) => turn > 0 && length <= LONGEST_ORDER && TAKE_BACK.test(text),
  );
  return changesIn(
    db,
    orders.map(({ session, turn }) => ({ session, turn: turn - 1 })),
  ).map(({ session, turn, label }) => ({ session, turn: turn + 1, path: label }));
}

const RESTORES = /\bgit (?:checkout (?:\S+ )?-- |restore (?:--?\S+ )*)([^\s&|;]+)/;

function restored(db: Database): LessonRows["reverted"] {
  return restoringCommands(db).flatMap(({ session, turn, label }) => {
    const path = RESTORES.exec(label)?.[1]?.replace(/^["']|["']$/g, "");
    // A whole folder says nothing of a file.
    return path === undefined || /^\.?\/?$|\/$/.test(path) ? [] : [{ session, turn, path }];
  });
}

/** Most evidence first. A line in which something is secret is no instruction. */
export function findLessons(rows: LessonRows, redact: Redact): Lesson[] {
  return [...corrected(rows), ...wrong(rows), ...repeated(rows), ...reverted(rows)]
    .filter(({ line }) => redact(line) === line)
    .sort((a, b) => b.evidence.length - a.evidence.length)
    .map((lesson) => ({
      ...lesson,
      title: redact(lesson.title),
      evidence: lesson.evidence.map(({ session, turn, detail }) => ({
        session: { ...session, title: redact(session.title) },
        turn,
        ...(detail !== undefined && { detail: redact(detail) }),
      })),
    }));
}

const inSessions = (count: number): string => (count === 1 ? "in a session" : `in ${count} sessions`);

const corrected = (rows: LessonRows): Lesson[] =>
  allCorrections(rows)
    .filter(({ isGeneral, sessions }) => isGeneral || sessions >= LESSON_THRESHOLDS.correction.sessions)
    .map(({ place, repository, line, sessions, evidence }) =>
      toLesson({
        kind: "correction",
        place,
        repository,
        line,
        evidence,
        title: `Corrected ${inSessions(sessions)}`,
      }),
    );

const wrong = (rows: LessonRows): Lesson[] =>
  wrongCommands(rows).map(({ place, repository, wrong: bad, right, evidence }) =>
    toLesson({
      kind: "wrong-command",
      place,
      repository,
      line: `Use ${asCode(right)}, not ${asCode(bad)}.`,
      evidence,
      title: `The wrong command was tried first ${inSessions(evidence.length)}`,
    }),
  );

/** A command that only worked after several changes is the one that shows whether work is done. */
function repeated(rows: LessonRows): Lesson[] {
  const found = [...rows.calls].flatMap(([key, calls]) => {
    const session = rows.sessions.get(key);
    return session ? untilGreen(calls, rows.changingTools).map((run) => ({ ...run, session })) : [];
  });
  const groups = Map.groupBy(found, ({ session, command }) => `${placeKey(session)}\n${command}`);
  return [...groups.values()].flatMap((runs) => {
    const [first] = runs;
    if (!first || runs.length < LESSON_THRESHOLDS.testsRepeated.sessions) return [];
    return [
      toLesson({
        kind: "tests-repeated",
        place: placeKey(first.session),
        repository: first.session.repository,
        line: `Before you finish, run ${asCode(first.command)} and fix what fails.`,
        evidence: runs.map(({ session, turn, times }) =>
          seen(session, turn, `worked after ${times} failed runs`),
        ),
        title: `A command had to be run again and again until it worked, ${inSessions(runs.length)}`,
      }),
    ];
  });
}

/** Commands that failed, and worked after files were changed; each once, with how often it failed. */
function untilGreen(
  calls: readonly CallRow[],
  changing: ReadonlySet<string>,
): { readonly command: string; readonly turn: number; readonly times: number }[] {
  const open = new Map<string, { times: number; isChanged: boolean }>();
  const green = new Map<string, { command: string; turn: number; times: number }>();
  for (const { tool, label, status, turn } of calls) {
    if (changing.has(tool) && status === "ok") for (const run of open.values()) run.isChanged = true;
    if (!isShell(tool) || label === "" || isLooking(label)) continue;
    const command = bareCommand(label);
    const run = open.get(command) ?? { times: 0, isChanged: false };
    if (status === "failed") open.set(command, { ...run, times: run.times + 1 });
    else {
      if (run.times >= LESSON_THRESHOLDS.testsRepeated.failures && run.isChanged)
        green.set(command, { command, turn, times: run.times });
      open.delete(command);
    }
  }
  return [...green.values()];
}

function reverted({ sessions, reverted: all }: LessonRows): Lesson[] {
  const found = all.flatMap(({ session: key, turn, path }) => {
    const session = sessions.get(key);
    if (!session) return [];
    const way = (session.workspace === undefined ? undefined : wayFrom(session.workspace, path)) || path;
    return [{ session, turn, path: way.replace(/^\.\//, "") }];
  });
  const groups = Map.groupBy(found, ({ session, path }) => `${placeKey(session)}\n${path}`);
  return [...groups.values()].flatMap((places) => {
    const [first] = places;
    const held = new Map(places.map((each) => [each.session.key, each]));
    if (!first || held.size < LESSON_THRESHOLDS.reverted.sessions) return [];
    return [
      toLesson({
        kind: "reverted",
        place: placeKey(first.session),
        repository: first.session.repository,
        line: `Ask before you change ${asCode(first.path)}.`,
        evidence: [...held.values()].map(({ session, turn }) =>
          seen(session, turn, `${first.path} was reverted`),
        ),
        title: `Changes to one file were taken back ${inSessions(held.size)}`,
      }),
    ];
  });
}

const seen = ({ source, id, title }: RangedSession, turn: number, detail: string): Evidence => ({
  session: { source, id, title },
  turn,
  detail,
});

/** As code in Markdown; a backtick within would end it. */
const asCode = (text: string): string => `\`${clip(text.replaceAll("`", "'"), 80)}\``;
