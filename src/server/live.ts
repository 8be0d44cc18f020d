/** Keeps the store up to date while the server runs, tells clients what changed, and knows whether answers are current. */
import type { App, CallFreshness, CallProgress, WatchReport } from "../app/contract.ts";
import { AppError } from "../model/errors.ts";
import { watch } from "../operations/upkeep/index-store.ts";
import type { EventHub } from "./event-hub.ts";

export interface Live {
  /**
   * `stored` while the watch has seen everything. The first questions wait for the newest sessions, as everybody would look
   * for the same; while the watch reads the others, what there is answers.
   */
  freshness(signal: AbortSignal): Promise<CallFreshness>;
  /** Before a write of ours, of which its own answer tells. */
  writes(): void;
  /** After it. */
  wrote(): void;
  stop(): Promise<void>;
}

export interface LiveParts {
  readonly app: App;
  readonly events: EventHub;
  /** Which file the store is: another one has to be filled first. */
  storeIdentity(): number | undefined;
  /** Changes with every write of ours, whichever process makes it. */
  journalMark(): string;
  /** Resolves after that time, or at once when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** A sentence for the terminal. */
  note(sentence: string): void;
}

const START_MS = 50;
const PROGRESS_MS = 200;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** So long a question waits for it; then it is answered with what there is. */
const FIRST_LOOK_MS = 60_000;
/** As long as the watch may take to see what was written. */
const SEEN_MS = 3000;
/** More sessions than this at once are not told one by one. */
const MANY = 200;

export function startLive({ app, events, storeIdentity, journalMark, pause, note }: LiveParts): Live {
  const control = new AbortController();
  const { signal } = control;
  let isHealthy = false;
  /** The watch looks at everything for the first time; whoever listens is told how far it is. */
  let isLooking = false;
  /** Of the store that the watch has filled. */
  let identity: number | undefined;
  /** Ends one watch, so that another begins. */
  let watching = new AbortController();
  let writing = 0;
  let wroteAt = Number.NEGATIVE_INFINITY;
  let pauseMs = FIRST_PAUSE_MS;
  /** When there is something to answer from, or nothing can be had. */
  const looked = new AbortController();
  const progress = createProgress(events);
  let journal = journalMark();
  /** Another process has written; its own name for that is in the history. */
  const tellWrites = (): void => {
    // The watch may see a write before the worker that makes it says that it is done.
    if (writing > 0) return;
    const mark = journalMark();
    if (mark !== journal) events.publish("write-done", { operation: null });
    journal = mark;
  };

  /** The store was deleted or replaced: a watch writes only what changes, so a new one looks at everything again. */
  const fillAnew = (): void => {
    isHealthy = false;
    watching.abort();
  };

  const onReport = (report: WatchReport): void => {
    progress.end();
    isHealthy = true;
    isLooking = false;
    looked.abort();
    const is = storeIdentity();
    identity ??= is;
    if (is !== identity) fillAnew();
    pauseMs = FIRST_PAUSE_MS;
    const { sessions } = report;
    const changes = (["added", "changed", "vanished"] as const).flatMap((change) =>
      sessions[change].map(({ source, id }) => ({ source, id, change })),
    );
    if (changes.length > MANY) events.publish("reset", { why: "many-changes" });
    else for (const each of changes) events.publish("session-changed", each);
    if (changes.length > 0) tellWrites();
  };
  /** Of a home with much to read, the newest. What keeps it from that, the watch meets and tells, too. */
  const readNewest = async (): Promise<void> => {
    try {
      await app.refresh({ signal, onProgress: progress.update, onNotice: () => undefined });
      isLooking = true;
      looked.abort();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  };
  const work = async (): Promise<void> => {
    // Whoever waits for the server to be ready is told first.
    await pause(START_MS, signal);
    if (!signal.aborted) await readNewest();
    while (!signal.aborted) {
      watching = new AbortController();
      identity = undefined;
      const either = AbortSignal.any([signal, watching.signal]);
      try {
        await watch.run(app, {}, onReport, {
          signal: either,
          onProgress: progress.update,
          onNotice: note,
        });
      } catch (error) {
        if (!either.aborted) note(`Sessions are not watched for now: ${reason(error)}`);
      }
      isHealthy = false;
      isLooking = false;
      looked.abort();
      progress.end();
      if (watching.signal.aborted && !signal.aborted) {
        await pause(START_MS, signal);
        await readNewest();
        continue;
      }
      await pause(pauseMs, signal);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  };
  const ended = work();
  return {
    async freshness(asking) {
      if (!looked.signal.aborted) {
        await pause(FIRST_LOOK_MS, AbortSignal.any([signal, asking, looked.signal]));
        if (!looked.signal.aborted) return "stored";
      }
      if (isLooking && performance.now() - wroteAt > SEEN_MS) return "stored";
      const is = storeIdentity();
      // The question that finds another store reads the newest sessions into it, and the watch the others.
      if (isHealthy && (is === undefined || is !== identity)) fillAnew();
      return isHealthy && performance.now() - wroteAt > SEEN_MS ? "stored" : "current";
    },
    writes: () => void writing++,
    wrote() {
      writing--;
      wroteAt = performance.now();
      journal = journalMark();
    },
    async stop() {
      control.abort();
      await ended;
    },
  };
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Told a few times a second, and once more when it is over. */
export function createProgress(events: EventHub): { update(progress: CallProgress): void; end(): void } {
  let toldAt = Number.NEGATIVE_INFINITY;
  let last: CallProgress | undefined;
  return {
    update(step) {
      last = step;
      if (performance.now() - toldAt < PROGRESS_MS || step.total === 0) return;
      toldAt = performance.now();
      events.publish("index-progress", { isIndexing: true, ...step });
    },
    end() {
      if (last && toldAt > Number.NEGATIVE_INFINITY)
        events.publish("index-progress", { isIndexing: false, ...last, done: last.total });
      toldAt = Number.NEGATIVE_INFINITY;
      last = undefined;
    },
  };
}
