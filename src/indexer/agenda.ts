/** Schedules the rounds of a watcher: soon after a change, but only part of the time. */
import { dueAt } from "./watch-plan.ts";

/** What there is to look at: some sessions by their paths, or everything. */
export interface Wanted {
  readonly everything: boolean;
  readonly paths: ReadonlySet<string>;
}

export interface Agenda {
  /** Looks at everything at once; what is asked for meanwhile waits. Rejects with whatever goes wrong. */
  begin(): Promise<void>;
  /** Asks for a look at one session, or at everything. */
  want(path?: string): void;
  /** No new round begins; resolves when the one that runs has ended. */
  close(): Promise<void>;
}

export function createAgenda(
  act: (wanted: Wanted) => Promise<void>,
  failed: (error: unknown) => void,
): Agenda {
  let pending: { everything: boolean; paths: Set<string>; first: number; last: number } | undefined;
  let round = { ended: Number.NEGATIVE_INFINITY, took: 0 };
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const plan = (): void => {
    clearTimeout(timer);
    if (!pending || running || isClosed) return;
    timer = setTimeout(next, Math.max(0, dueAt({ ...pending, ...round }) - performance.now()));
  };
  const next = (): void => {
    if (!pending) return;
    const wanted = pending;
    pending = undefined;
    running = run(wanted).catch(failed);
  };
  const run = async (wanted: Wanted): Promise<void> => {
    const began = performance.now();
    try {
      await act(wanted);
    } finally {
      const ended = performance.now();
      round = { ended, took: ended - began };
      running = undefined;
      plan();
    }
  };
  return {
    async begin() {
      running = act({ everything: true, paths: new Set() });
      // However long that took, changes that came meanwhile do not wait for it again.
      await running.finally(() => {
        running = undefined;
        plan();
      });
    },
    want(path) {
      const now = performance.now();
      pending ??= { everything: false, paths: new Set(), first: now, last: now };
      pending.last = now;
      if (path === undefined) pending.everything = true;
      else pending.paths.add(path);
      plan();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
