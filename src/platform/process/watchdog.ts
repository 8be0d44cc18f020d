/** Ends its own process when it uses too much memory or time, or when its parent is gone. */
import { Worker } from "node:worker_threads";

export interface Bounds {
  readonly memoryBytes: number;
  readonly lifetimeMs: number;
}

/** The last words on stderr: they tell the parent why, which a signal alone does not on every system. */
export const LAST_WORDS = { memory: "watchdog: memory", time: "watchdog: time" } as const;

interface Orders extends Bounds {
  readonly lastWords: typeof LAST_WORDS;
  /** Becomes 1 once the thread is on watch. */
  readonly ready: Int32Array;
}

/**
 * A thread of its own, since a native call that never returns blocks the main one, timers and all; and the process is
 * killed, since neither `worker.terminate()` nor `process.exit()` gets through such a call either. Returns only when
 * the thread is on watch: what follows may be the call that never returns.
 */
export function startWatchdog(bounds: Bounds): void {
  const ready = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(`(${watch.toString()})(require, process)`, {
    eval: true,
    execArgv: [], // inherited flags may turn the text into a module, which knows no `require`
    workerData: { ...bounds, lastWords: LAST_WORDS, ready } satisfies Orders,
  });
  worker.unref();
  if (Atomics.wait(ready, 0, 0, START_MS) === "timed-out") throw new Error("The watchdog did not start");
}

const START_MS = 10_000;

/**
 * Runs in the thread. It travels there as text, which works the same from source and from a bundle, and therefore may
 * use nothing but its arguments and globals.
 */
function watch(load: NodeJS.Require, self: NodeJS.Process): void {
  const { writeSync } = load("node:fs") as typeof import("node:fs");
  const orders = load("node:worker_threads").workerData as Orders;
  const parent = self.ppid;
  const until = Date.now() + orders.lifetimeMs;
  setInterval(() => {
    const tooLarge = self.memoryUsage.rss() > orders.memoryBytes;
    const tooLate = Date.now() > until;
    const orphaned = self.ppid !== parent;
    if (!tooLarge && !tooLate && !orphaned) return;
    if (!orphaned) writeSync(2, tooLarge ? orders.lastWords.memory : orders.lastWords.time);
    self.kill(self.pid, "SIGKILL");
  }, 10);
  Atomics.store(orders.ready, 0, 1);
  Atomics.notify(orders.ready, 0);
}
