/** Sends many sessions, several at a time, and adds up what became of them. */
import { AppError } from "../../model/errors.ts";
import type { OutgoingRedaction } from "../../model/redact/outgoing.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";
import { isAborted } from "../../platform/fs/abortable.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";
import type { DeletedSession, SessionState } from "../protocol.ts";
import {
  deletedMeanwhile,
  type OutgoingSession,
  type PushAround,
  type PushedSession,
  pushSession,
} from "./push-session.ts";
import type { LeftOut } from "./session-files.ts";

export interface SyncProblem {
  /** Nothing where it is not about one session. */
  readonly session?: SessionKey;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export interface PushTotals {
  readonly created: number;
  readonly updated: number;
  readonly eventsUploaded: number;
  readonly bytes: number;
  readonly failed: number;
  readonly backfillQueued: number;
  readonly backfillFailed: number;
  readonly redacted: readonly OutgoingRedaction[];
  readonly leftOut: readonly (LeftOut & { readonly session: SessionKey })[];
  readonly problems: readonly SyncProblem[];
  readonly isInterrupted: boolean;
}

export interface PushMany extends PushAround {
  readonly signal?: AbortSignal | undefined;
  /** Called once the hub has acknowledged all of a session. */
  pushed(session: OutgoingSession, became: PushedSession): void;
  /** After every session. */
  progress?(done: number, total: number): void;
  /** How many sessions are on the way at once. */
  readonly atOnce?: number;
}

/** Of so many sessions the hub is asked what it has in one request. */
const ASKED_AT_ONCE = 100;
const AT_ONCE = 4;

export async function pushAll(sessions: readonly OutgoingSession[], around: PushMany): Promise<PushTotals> {
  const totals = createTotals();
  let stopped: AppError | undefined;
  let done = 0;
  const pushOne = async (session: OutgoingSession, { states, deleted }: Known): Promise<void> => {
    const state = states.get(formatKey(session));
    const gone = deleted.get(formatKey(session));
    try {
      // Of one that is sent after all, there is no note any more.
      if (session.isNoted && gone) throw deletedMeanwhile();
      const became = await pushSession(session, { state, deletion: gone?.deletion }, around);
      around.pushed(session, became);
      totals.add(session, became);
    } catch (error) {
      if (isAborted(error) || around.signal?.aborted) return;
      totals.fail(session, error);
      if (concernsAll(error)) stopped ??= error;
    }
    done++;
    around.progress?.(done, sessions.length);
  };
  const isOver = (): boolean => stopped !== undefined || around.signal?.aborted === true;
  for (let at = 0; at < sessions.length && !isOver(); at += ASKED_AT_ONCE) {
    const some = sessions.slice(at, at + ASKED_AT_ONCE);
    const known = await statesOf(some, around).catch((error: unknown) => {
      if (isAborted(error)) return undefined;
      // What is not even begun is not counted as an attempt.
      if (!concernsAll(error) || at === 0) throw error;
      stopped ??= error;
    });
    if (!known) break;
    const waiting = some.values();
    const work = async (): Promise<void> => {
      for (const session of waiting) {
        if (isOver()) return;
        await pushOne(session, known);
      }
    };
    await Promise.all(Array.from({ length: around.atOnce ?? AT_ONCE }, work));
  }
  // Where the hub refuses, or was never there, there is nothing to report but that.
  if (stopped && (stopped.code === "hub-refused" || totals.isNothing())) throw stopped;
  if (stopped && done < sessions.length) totals.leave(sessions.length - done, stopped);
  return totals.get(around.signal?.aborted === true);
}

/** By the keys of sessions. */
interface Known {
  readonly states: ReadonlyMap<string, SessionState>;
  readonly deleted: ReadonlyMap<string, DeletedSession>;
}

async function statesOf(asked: readonly OutgoingSession[], { client, machine }: PushAround): Promise<Known> {
  const { sessions, deleted } = await client.state(
    machine.id,
    asked.map(({ source, id }) => ({ source, id })),
  );
  return {
    states: new Map(sessions.map((state) => [formatKey(state), state])),
    deleted: new Map(deleted.map((each) => [formatKey(each), each])),
  };
}

const STOPPING: ReadonlySet<string> = new Set(["hub-refused", "hub-unreachable", "not-signed-in"]);

/** The next session would fare no better. */
const concernsAll = (error: unknown): error is AppError =>
  error instanceof AppError && STOPPING.has(error.code);

function createTotals() {
  const sum = {
    ...{ created: 0, updated: 0, eventsUploaded: 0, bytes: 0, failed: 0 },
    ...{ backfillQueued: 0, backfillFailed: 0 },
  };
  const kinds = new Map<string, { secrets: number; places: number }>();
  const leftOut: (LeftOut & { readonly session: SessionKey })[] = [];
  const problems: SyncProblem[] = [];
  return {
    add({ source, id }: SessionKey, became: PushedSession): void {
      if (became.isCreated) sum.created++;
      else sum.updated++;
      sum.eventsUploaded += became.events;
      sum.bytes += became.bytes;
      if (became.backfillFailed) sum.backfillFailed++;
      else if (became.backfillQueued) sum.backfillQueued++;
      addKinds(kinds, became.redacted);
      for (const each of became.leftOut) leftOut.push({ session: { source, id }, ...each });
    },
    fail({ source, id }: SessionKey, error: unknown): void {
      sum.failed++;
      problems.push({ session: { source, id }, ...toProblem(error) });
    },
    leave(count: number, error: AppError): void {
      sum.failed += count;
      problems.push({
        code: error.code,
        message: `${count} more sessions were not tried: ${error.message}`,
        hint: error.hint,
      });
    },
    isNothing: (): boolean => sum.created + sum.updated === 0,
    get: (isInterrupted: boolean): PushTotals => ({
      ...sum,
      redacted: toKinds(kinds),
      leftOut,
      problems,
      isInterrupted,
    }),
  };
}

export function addKinds(
  kinds: Map<string, { secrets: number; places: number }>,
  found: readonly OutgoingRedaction[],
): void {
  for (const { kind, secrets, places } of found) {
    const known = kinds.get(kind) ?? { secrets: 0, places: 0 };
    kinds.set(kind, { secrets: known.secrets + secrets, places: known.places + places });
  }
}

export const toKinds = (
  kinds: ReadonlyMap<string, { secrets: number; places: number }>,
): readonly OutgoingRedaction[] =>
  [...kinds].map(([kind, counts]) => ({ kind, ...counts })).sort((a, b) => (a.kind < b.kind ? -1 : 1));

export const toProblem = (error: unknown): Omit<SyncProblem, "session"> =>
  error instanceof AppError
    ? { code: error.code, message: error.message, hint: error.hint }
    : {
        code: error instanceof Error && "code" in error ? "system-failed" : "internal",
        message: reasonOf(error),
        hint: "Run the command again; if it stays, see what rethread doctor says",
      };
