/** Calls of sessions in which commands failed, in order: what came after a failure says what it was about. */
import type { Database } from "../platform/sqlite/sqlite.ts";
import { type CallRow, callsOf } from "../store/chronicle/call-rows.ts";
import { bareCommand, isLooking, isShell } from "./commands.ts";

export interface FollowRules {
  /** A command that failed so often in one session. */
  readonly times: number;
  /** Or in so many sessions. */
  readonly sessions: number;
}

/** Sessions whose calls are looked at one by one. */
const MOST_SESSIONS = 1000;

/** By session. */
export const followCalls = (
  db: Database,
  failed: readonly CallRow[],
  rules: FollowRules,
): Map<string, CallRow[]> =>
  Map.groupBy(callsOf(db, sessionsToFollow(failed, rules)), ({ session }) => session);

/** Most failures first. */
function sessionsToFollow(failed: readonly CallRow[], { times, sessions }: FollowRules): string[] {
  const commands = failed.filter(({ tool, label }) => isShell(tool) && label !== "" && !isLooking(label));
  const inSession = countBy(commands, ({ session, label }) => `${session}\n${label}`);
  const shared = new Set(
    [...Map.groupBy(commands, ({ label }) => bareCommand(label))].flatMap(([command, calls]) =>
      new Set(calls.map(({ session }) => session)).size >= sessions ? [command] : [],
    ),
  );
  const wanted = commands.filter(
    ({ session, label }) =>
      shared.has(bareCommand(label)) || (inSession.get(`${session}\n${label}`) ?? 0) >= times,
  );
  return [...countBy(wanted, ({ session }) => session)]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_SESSIONS)
    .map(([session]) => session);
}

export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
