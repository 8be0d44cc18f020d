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
import { openBeside } from "./beside.ts";
import { type EventWriter, type EventWriterOptions, UnwrittenEvents } from "./contract.ts";
import type { CopilotEvent, NewEvent } from "./event.ts";
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
  const { end, torn } = await opening(path, () => openLog(fs, path));
  const now = options.now ?? (() => new Date());
  const beside = await opening(folder, () => openBeside(fs, folder, { hasLog: end.size > 0, now }));
  const keepsSidecars = options.sidecars ?? true;
  const lines = createLineMaker({
    lastId: end.lastId,
    now,
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
      // After the log, which alone decides: without its records, a checkpoint would be nobody's.
      if (beside.isDirty() && !isGivenUp) await beside.write();
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
    if ((queue.size() === 0 && !beside.isDirty()) || isGivenUp) return Promise.resolve();
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
    const settled = queue.below(0).then(() => beside.settled());
    if (await isWithin(settled, withinMs)) return;
    isGivenUp = true;
    stopTimers();
    const left = queue.lines().map((line): CopilotEvent => JSON.parse(line));
    queue.release();
    throw left.length === 0 ? unwritten(folder, lastError) : new UnwrittenEvents(left, path, lastError);
  };

  const put = async (given: NewEvent): Promise<void> => {
    if (closing) throw closed();
    const event = keepsSidecars ? beside.complete(given) : given;
    const line = lines.next(event);
    if (line === undefined) return;
    if (keepsSidecars) beside.note(event);
    queue.push(line);
    hasNews ||= !BOOKENDS.includes(roleOf(event.type));
    schedule();
    await queue.below(maxPendingBytes);
  };

  return {
    write: put,
    async plan(text) {
      if (closing) throw closed();
      await put(await beside.plan(text));
    },
    async file(name, content) {
      if (closing) throw closed();
      await put(await beside.file(name, content));
    },
    async flush() {
      const until = queue.mark();
      const isDone = (): boolean => queue.isWritten(until) && !beside.isDirty();
      while (!closing && hasNews && !isDone()) await write();
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
  const end = await findEnd(fs, path);
  if (end.torn === 0) return { end };
  const torn = await takeOff(fs, path, end);
  return { end: await findEnd(fs, path), torn };
}

async function opening<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
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

const unwritten = (folder: string, cause: unknown): AppError =>
  new AppError(
    "write-failed",
    `The files beside the log in ${folder} could not be written: ${cause === undefined ? "the file system does not answer" : reasonOf(cause)}`,
    "All events are in the log: open a writer on the same folder when the file system works again",
    cause,
  );

const closed = (): AppError =>
  new AppError("usage", "The event writer is closed", "Open another one on the same folder");
