/** All that detectors look at: rows of the store, read once for all of them. */
import type { Database } from "../../platform/sqlite/sqlite.ts";
import {
  type CallRow,
  callCounts,
  changingTools,
  notableCalls,
  outputTotals,
  type RepeatedRead,
  repeatedReads,
} from "../../store/chronicle/call-rows.ts";
import {
  type CommonFile,
  commonFiles,
  type ModelTurn,
  modelTurns,
  type PromptRow,
  prompts,
  shortOpenings,
  usedModels,
} from "../../store/chronicle/habit-rows.ts";
import {
  type RangedSession,
  type ReportScope,
  rangedSessions,
  withRange,
} from "../../store/chronicle/range.ts";
import { type LastTurn, lastTurnsOf } from "../../store/chronicle/standup-rows.ts";
import { isShell } from "../commands.ts";
import { countBy, followCalls } from "../followed-calls.ts";
import { placeKey } from "../places.ts";
import { isLargeModel } from "./large-models.ts";
import { THRESHOLDS } from "./thresholds.ts";

export interface Habits {
  readonly now: Date;
  /** By their keys. */
  readonly sessions: ReadonlyMap<string, RangedSession>;
  /** By session, in order. */
  readonly prompts: ReadonlyMap<string, readonly PromptRow[]>;
  readonly largeOutputs: readonly CallRow[];
  /** What all calls of sessions with large outputs gave back, in characters. */
  readonly outputTotals: ReadonlyMap<string, number>;
  readonly repeatedReads: readonly RepeatedRead[];
  readonly failedCalls: readonly CallRow[];
  /** Of sessions in which a command failed as often as counts, or one that another may stand for: all calls in order. */
  readonly calls: ReadonlyMap<string, readonly CallRow[]>;
  readonly changingTools: ReadonlySet<string>;
  /** How often tools were called of which calls failed. */
  readonly callCounts: ReadonlyMap<string, number>;
  readonly commonFiles: readonly CommonFile[];
  /** Those that large models answered. */
  readonly modelTurns: readonly ModelTurn[];
  readonly shortOpenings: readonly {
    readonly session: string;
    readonly prompt: string;
    readonly answer: string;
  }[];
  /** How the latest session of each branch ended. */
  readonly ends: readonly LastTurn[];
  /** By folder: whether it has instructions for agents. Nothing for a folder that is not there. */
  readonly instructions: ReadonlyMap<string, boolean>;
}

export function readHabits(db: Database, scope: ReportScope, now: Date): Omit<Habits, "instructions"> {
  return withRange(db, scope, () => {
    const sessions = rangedSessions(db);
    const { contextFilled, fileReadAgain, fileReadEverywhere, vagueStart } = THRESHOLDS;
    const notable = notableCalls(db, contextFilled.large);
    const failed = notable.filter(({ status }) => status === "failed");
    const long = notable.filter(({ size }) => size >= contextFilled.large);
    const large = usedModels(db).filter(isLargeModel);
    return {
      now,
      sessions: new Map(sessions.map((session) => [session.key, session])),
      prompts: Map.groupBy(prompts(db), ({ session }) => session),
      largeOutputs: long,
      outputTotals: outputTotals(db, [...new Set(long.map(({ session }) => session))]),
      repeatedReads: repeatedReads(db, fileReadAgain),
      failedCalls: failed,
      calls: followCalls(db, failed, {
        times: THRESHOLDS.commandKeepsFailing.times,
        sessions: THRESHOLDS.wrongCommandFirst.sessions,
      }),
      changingTools: changingTools(db),
      callCounts: callCounts(db, toolsToCount(failed)),
      commonFiles: commonFiles(db, fileReadEverywhere.sessions),
      modelTurns: large.length > 0 ? modelTurns(db, large) : [],
      shortOpenings: shortOpenings(db, vagueStart.length),
      ends: lastTurnsOf(db, latestOfBranches(sessions)),
    };
  });
}

/** Tools that failed often enough to be worth counting all of their calls. */
function toolsToCount(failed: readonly CallRow[]): string[] {
  const { calls, share } = THRESHOLDS.toolKeepsFailing;
  return [...countBy(failed, ({ tool }) => tool)].flatMap(([tool, count]) =>
    !isShell(tool) && count >= calls * share ? [tool] : [],
  );
}

/** Work on a branch goes on in later sessions, so only the latest can have been left open. */
function latestOfBranches(sessions: readonly RangedSession[]): string[] {
  const seen = new Set<string>();
  return sessions.flatMap((session) => {
    const branch = `${placeKey(session)}\n${session.branch ?? ""}`;
    if (seen.has(branch)) return [];
    seen.add(branch);
    return [session.key];
  });
}
