/** Listens to the server's events, and marks what they make stale; so nothing is ever asked on a timer. */
import { amount, bytes } from "../../../src/present/text/measure.ts";
import { api, keys, queryClient } from "../lib/api.ts";
import { createStore } from "../lib/store.ts";

export type Connection = "connecting" | "open" | "lost";
export const connection = createStore<Connection>("connecting");

export interface IndexProgress {
  readonly done: number;
  readonly total: number;
  /** Where `done` and `total` are bytes of several sessions: how many of those are done. */
  readonly sessions?: { readonly done: number; readonly total: number };
}

/** "120 of 4,212": of sessions, where that is known. */
export function progressText({ done, total, sessions }: IndexProgress): string {
  return sessions
    ? `${amount(sessions.done)} of ${amount(sessions.total)}`
    : `${bytes(done)} of ${bytes(total)}`;
}

export const indexProgress = createStore<IndexProgress | undefined>(undefined);

/** When an agent last wrote to a session, as far as this page has seen it. */
export const activeSessions = createStore<ReadonlyMap<string, number>>(new Map());

const stale = (...key: string[]): void => void queryClient.invalidateQueries({ queryKey: key });

/** Asks again soon after the first change, and while changes go on, once in a while. */
function createRefresh(keys: readonly string[], soonMs: number, gapMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  return () => {
    if (timer !== undefined) return;
    const wait = Math.max(soonMs, last + gapMs - Date.now());
    timer = setTimeout(() => {
      timer = undefined;
      last = Date.now();
      for (const key of keys) stale(key);
    }, wait);
  };
}

/** Lists follow an agent that writes; sums over everything take longer to make, and matter less. */
const refreshLists = createRefresh(["sessions", "search"], 120, 1000);
const refreshSums = createRefresh(
  ["overview", "stats", "tree", "workspaces", "index", "report", "blame", "files"],
  250,
  10_000,
);
const overviewsSoon = (): void => {
  refreshLists();
  refreshSums();
};

export function startLive(): () => void {
  const stop = new AbortController();
  void api.events({
    signal: stop.signal,
    // While it tries again, it is still lost.
    onState: (state) =>
      connection.set((before) => (state === "connecting" && before === "lost" ? before : state)),
    onEvent(event) {
      switch (event.type) {
        case "session-changed": {
          const key = `${event.data.source}:${event.data.id}`;
          if (event.data.change === "tagged") {
            // Its turns are as they were.
            void queryClient.invalidateQueries({ queryKey: keys.session(key) });
            stale("tags");
            refreshLists();
            break;
          }
          stale("session", key);
          if (event.data.change !== "vanished")
            activeSessions.set((before) => new Map(before).set(key, Date.now()));
          overviewsSoon();
          break;
        }
        case "index-progress":
          indexProgress.set(event.data.isIndexing ? event.data : undefined);
          if (!event.data.isIndexing) overviewsSoon();
          break;
        case "write-done":
          stale("history");
          stale("problems");
          overviewsSoon();
          break;
        case "board-changed":
          stale("board");
          stale("history");
          break;
        case "job-changed":
          stale("history");
          break;
        case "chat-changed":
          stale("chats");
          break;
        case "reset":
          void queryClient.invalidateQueries();
          break;
      }
    },
  });
  return () => stop.abort();
}
