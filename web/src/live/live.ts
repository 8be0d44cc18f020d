/** Listens to the server's events, and marks what they make stale; so nothing is ever asked on a timer. */
import { api, queryClient } from "../lib/api.ts";
import { createStore } from "../lib/store.ts";

export type Connection = "connecting" | "open" | "lost";
export const connection = createStore<Connection>("connecting");

export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}
export const indexProgress = createStore<IndexProgress | undefined>(undefined);

/** When an agent last wrote to a session, as far as this page has seen it. */
export const activeSessions = createStore<ReadonlyMap<string, number>>(new Map());

const stale = (...key: string[]): void => void queryClient.invalidateQueries({ queryKey: key });

/** A burst of changes is answered once. */
const SOON_MS = 120;
let pending: ReturnType<typeof setTimeout> | undefined;
const overviewsSoon = (): void => {
  if (pending !== undefined) return;
  pending = setTimeout(() => {
    pending = undefined;
    for (const key of ["sessions", "overview", "search", "stats", "tree", "workspaces", "index"]) stale(key);
  }, SOON_MS);
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
          stale("session", key);
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
