/**
 * Writes the events of an application into a log that Copilot CLI resumes, in batches and in order, on any SessionFs.
 * Failures are reported and retried, and closing reports what could not be written.
 */
import { randomUUID } from "node:crypto";
import { AppError } from "../../../model/errors.ts";
import { reasonOf, type SessionFs } from "../../../platform/fs/session-fs.ts";
import type { Role } from "../log/event-type.ts";
import { roleOf } from "../log/event-types.ts";
import { LOG, under } from "../workspace/locate.ts";
import { createAppender } from "./append.ts";
import { type EventWriter, type EventWriterOptions, UnwrittenEvents } from "./contract.ts";
import type { CopilotEvent } from "./event.ts";
import { createLineMaker } from "./lines.ts";
import { findEnd, type LogEnd, takeOff } from "./log-end.ts";
import { createLineQueue } from "./queue.ts";

/** They open or end a session, and by themselves say nothing: a session in which nothing happened leaves no trace. */
const BOOKENDS: readonly (Role | undefined)[] = ["start", "resume", "shutdown"];
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
  /** Takes what is queued now; later events form the next batch, so that a fast disk does not get them line by line. */
  const drain = async (): Promise<void> => {
    const until = queue.mark();
    try {
      while (!queue.isWritten(until) && !isGivenUp) {
        await appender.append(queue.next().bytes);
        failures = 0;
        queue.done();
      }
    } finally {
      underWay = undefined;
    }
  };
  const attempt = async (): Promise<void> => {
    stopTimers();
    try {
      await drain();
      if (queue.size() > 0) schedule();
    } catch (error) {
      if (isGivenUp) throw error;
      lastError = error;
      const retryInMs = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** failures++);
      retry = setTimeout(go, retryInMs);
      const failure = { error: toError(error), pending: queue.lines().length, retryInMs };
      // By itself, so that a listener that throws stops neither this attempt nor the next.
      queueMicrotask(() => options.onFailure(failure));
      throw error;
    }
  };
  /** One at a time. */
  const write = (): Promise<void> => {
    if (queue.size() === 0 || isGivenUp) return Promise.resolve();
    underWay ??= attempt();
    return underWay;
  };
  function go(): void {
    write().catch(() => undefined); // told by `onFailure`, and tried again
  }
  function schedule(): void {
    if (!hasNews || retry) return;
    const isUrgent = closing || queue.size() > maxPendingBytes;
    if (isUrgent) go();
    else {
      clearTimeout(quiet);
      quiet = setTimeout(go, delayMs);
      latest ??= setTimeout(go, Math.max(delayMs, MOST_DELAY_MS));
    }
  }
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
      hasNews ||= !BOOKENDS.includes(roleOf(event.type));
      schedule();
      await queue.below(maxPendingBytes);
    },
    async flush() {
      const until = queue.mark();
      while (!closing && hasNews && !queue.isWritten(until)) await write();
      await closing;
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
      "Fix the problem, then open the writer again",
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
