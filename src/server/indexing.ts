/** Index runs that a client asks for: one at a time, in the background. */
import type { App } from "../app/contract.ts";
import { indexStore } from "../operations/upkeep/index-store.ts";
import type { EventHub } from "./event-hub.ts";
import { createProgress } from "./live.ts";

export interface Indexing {
  /** False while one is under way. */
  start(input: { readonly rebuild?: boolean; readonly sources?: readonly string[] }): boolean;
  readonly isUnderWay: () => boolean;
  /** What was done until then stays. */
  stop(): Promise<void>;
}

export function startIndexing(app: App, events: EventHub): Indexing {
  const control = new AbortController();
  const progress = createProgress(events);
  let running: Promise<void> | undefined;
  const run = async (input: Parameters<Indexing["start"]>[0]): Promise<void> => {
    try {
      await indexStore.run(app, input, { signal: control.signal, onProgress: progress.update });
      events.publish("reset", { why: "many-changes" });
    } catch {
      // What is wrong with the store, every question says.
    } finally {
      progress.end();
      running = undefined;
    }
  };
  return {
    start(input) {
      if (running) return false;
      running = run(input);
      return true;
    },
    isUnderWay: () => running !== undefined,
    async stop() {
      control.abort();
      await running;
    },
  };
}
