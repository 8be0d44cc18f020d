/** The one client of the API, and what is remembered of its answers. */
import { MutationCache, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { ApiError, createClient } from "../../../src/client/client.ts";
import { isHub } from "./mode.ts";
import { createStore } from "./store.ts";

export { ApiError };

export const api = createClient({});

/** Set once the server of this machine does not know this browser: the error has what helps. A hub has a page of its own. */
export const notSignedIn = createStore<ApiError | undefined>(undefined);

const onError = (error: unknown): void => {
  if (error instanceof ApiError && error.code === "not-signed-in" && !isHub()) notSignedIn.set(error);
};

/** Answers stay until an event says that they are stale (live/live.ts). */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60_000,
      networkMode: "always",
      refetchOnWindowFocus: false,
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < 2,
    },
    mutations: { networkMode: "always", retry: false },
  },
});

/** The first word of a key says what an answer depends on, so that an event can mark it stale. */
export const keys = {
  overview: ["overview"],
  sessions: (query: unknown): QueryKey => ["sessions", query],
  session: (key: string): QueryKey => ["session", key, "outline"],
  turns: (key: string, from: number): QueryKey => ["session", key, "turns", from],
  context: (key: string): QueryKey => ["session", key, "context"],
  briefing: (key: string, budget: number | undefined): QueryKey => ["session", key, "briefing", budget],
  /** Not below `session`: the lens waits until the agent pauses (pages/session/lens). */
  lens: (key: string): QueryKey => ["lens", key],
  find: (key: string, text: string): QueryKey => ["session", key, "find", text],
  record: (key: string, line: number): QueryKey => ["session", key, "record", line],
  search: (query: unknown): QueryKey => ["search", query],
  report: (name: string, query: unknown): QueryKey => ["report", name, query],
  stats: (query: unknown): QueryKey => ["stats", query],
  tree: ["tree"],
  diff: (a: string, b: string): QueryKey => ["diff", a, b],
  blame: (file: string): QueryKey => ["blame", file],
  files: (text: string): QueryKey => ["files", text],
  problems: ["problems"],
  workspaces: ["workspaces"],
  history: ["history"],
  board: ["board"],
  index: ["index"],
  settings: ["settings"],
  tags: ["tags"],
  sources: ["sources"],
  health: ["health"],
  schema: ["schema"],
  chats: ["chats"],
  chat: (id: string): QueryKey => ["chats", id],
} as const;
