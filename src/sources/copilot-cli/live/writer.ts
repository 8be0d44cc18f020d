/**
 * Writes the events of an application into a log that Copilot CLI resumes: gathered for a moment, in the order in which
 * they came, over any SessionFs. What fails is told and tried again, and whoever closes knows what is not written.
 */
import { randomUUID } from "node:crypto";
import { AppError } from "../../../model/errors.ts";
import { reasonOf, type SessionFs } from "../../../platform/session-fs.ts";
import { LOG, under } from "../locate.ts";
import { createAppender } from "./append.ts";
import type { CopilotEvent, NewEvent } from "./event.ts";
import { createLineMaker } from "./lines.ts";
import { findEnd, type LogEnd, takeOff } from "./log-end.ts";
import { createLineQueue } from "./queue.ts";

export interface EventWriterOptions {
  readonly fs: SessionFs;
  /** The session's own folder; made with the first line. */
  readonly folder: string;
  /** Told of every attempt that failed; its events stay in line and are tried again. */
  readonly onFailure: (failure: WriteFailure) => void;
  /** So long a pause in the events is waited for before they are written, but never longer than a second (100 ms). */
  readonly delayMs?: number;
  /** When more bytes wait than this, `write` resolves only when they have become fewer (4 MiB). */
  readonly maxPendingBytes?: number;
  readonly now?: () => Date;
  /** UUIDs for events that bring none. */
  readonly newId?: () => string;
}

export interface WriteFailure {
  readonly error: Error;
  /** Events that are not written yet. */
  readonly pending: number;
  /** When the next attempt is made. */
  readonly retryInMs: number;
}

export interface EventWriter {
  /**
   * Puts the event in line at once, so that calls keep their order, and resolves when there is room for another. Rejects,
   * and takes nothing, when Copilot CLI would refuse a session with this event.
   */
  write(event: NewEvent): Promise<void>;
  /** Writes now; rejects when that fails, and then goes on trying. */
  flush(): Promise<void>;
  /** Resolves when everything is written; rejects with `UnwrittenEvents` when that did not succeed in time (10 s). */
  close(withinMs?: number): Promise<void>;
  /** Events that are not written yet. */
  pending(): number;
  /** The half record that a crash had left at the end of the log; it was taken off. */
  readonly torn?: string;
}

/** A writer was closed, and these events are in no log. One or the other may still get there if its write only hangs. */
export class UnwrittenEvents extends AppError {
  readonly events: readonly CopilotEvent[];
  constructor(events: readonly CopilotEvent[], path: string, cause: unknown) {
    const why = cause === undefined ? "the file system does not answer" : reasonOf(cause);
    super(
      "write-failed",
      `${events.length === 1 ? "1 event" : `${events.length} events`} could not be written to ${path}: ${why}`,
      "They are in `events` of this error: write them with a new writer when the file system is well again",
      cause,
    );
    this.events = events;
  }
}

/** They open or end a session, and by themselves say nothing: a session in which nothing happened leaves no trace. */
const BOOKENDS = new Set(["session.start", "session.resume", "session.shutdown"]);
const DELAY_MS = 100;
const MOST_DELAY_MS = 1000;
const MAX_PENDING_BYTES = 4 << 20;
const CLOSE_WITHIN_MS = 10_000;
const RETRY_MS = { first: 100, most: 10_000 };

export async function createEventWriter(options: EventWriterOptions): Promise<EventWriter> {
  const { fs, folder, delayMs = DELAY_MS, maxPendingBytes = MAX_PENDING_BYTES } = options;
  const path = under(folder, LOG);
  const { end, torn } = await openLog(fs, path);
  const lines = createLineMaker({
    lastId: end.lastId,
    now: options.now ?? (() => new Date()),
    newId: options.newId ?? randomUUID,
  });
  const appender = createAppender(fs, folder, end);
  const queue = createLineQueue();
  let hasNews = false;
  let failures = 0;
  let lastError: unknown;
  let underWay: Promise<void> | undefined;
  let quiet: NodeJS.Timeout | undefined;
  let latest: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;
  let isGivenUp = false;

  const stopTimers = (): void => {
    for (const timer of [quiet, latest, retry]) clearTimeout(timer);
    quiet = latest = retry = undefined;
  };
  const drain = async (): Promise<void> => {
    try {
      for (let batch = queue.next(); batch && !isGivenUp; batch = queue.next()) {
        await appender.append(batch.bytes);
        failures = 0;
        queue.done();
      }
    } finally {
      underWay = undefined; // in the same breath: what comes after the last look at the queue needs another attempt
    }
  };
  const attempt = async (): Promise<void> => {
    stopTimers();
    try {
      await drain();
    } catch (error) {
      if (isGivenUp) return;
      lastError = error;
      const retryInMs = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** failures++);
      retry = setTimeout(go, retryInMs);
      const failure = { error: toError(error), pending: queue.lines().length, retryInMs };
      // By itself, so that a listener that throws stops neither this attempt nor the next.
      queueMicrotask(() => options.onFailure(failure));
      throw error;
    }
  };
  /** One at a time: whoever comes meanwhile has their events taken along. */
  const write = (): Promise<void> => {
    if (queue.size() === 0 || isGivenUp) return Promise.resolve();
    underWay ??= attempt();
    return underWay;
  };
  function go(): void {
    write().catch(() => undefined); // told by `onFailure`, and tried again
  }
  const schedule = (): void => {
    if (!hasNews || closing || retry) return;
    clearTimeout(quiet);
    quiet = setTimeout(go, delayMs);
    latest ??= setTimeout(go, Math.max(delayMs, MOST_DELAY_MS));
  };
  const finish = async (withinMs: number): Promise<void> => {
    stopTimers();
    if (!hasNews) return;
    go();
    if (await isWithin(queue.below(0), withinMs)) return;
    isGivenUp = true;
    stopTimers();
    const left = queue.lines().map((line): CopilotEvent => JSON.parse(line));
    queue.release();
    throw new UnwrittenEvents(left, path, lastError);
  };

  return {
    async write(event) {
      if (closing) throw closed();
      const line = lines.next(event);
      if (line === undefined) return;
      queue.push(line);
      hasNews ||= !BOOKENDS.has(event.type);
      schedule();
      await queue.below(maxPendingBytes);
    },
    async flush() {
      if (hasNews) await write();
    },
    close(withinMs = CLOSE_WITHIN_MS) {
      closing ??= finish(withinMs);
      return closing;
    },
    pending: () => queue.lines().length,
    ...(torn !== undefined && { torn }),
  };
}

async function openLog(fs: SessionFs, path: string): Promise<{ end: LogEnd; torn?: string }> {
  try {
    const end = await findEnd(fs, path);
    if (end.torn === 0) return { end };
    const torn = await takeOff(fs, path, end);
    return { end: await findEnd(fs, path), torn };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error; // a defect of ours
    throw new AppError(
      "unreadable",
      `${path} cannot be opened: ${reasonOf(error)}`,
      "Mend what is wrong there, and open the writer again",
      error,
    );
  }
}

async function isWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isDone = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const closed = (): AppError =>
  new AppError("usage", "The event writer is closed", "Open another one on the same folder");
