/** Which sessions are in progress: an agent wrote to them a moment ago, or a program has them open. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, keys } from "../../lib/api.ts";
import { type SessionKey, toKey } from "../../lib/session-key.ts";
import { useStore } from "../../lib/store.ts";
import { useNow } from "../../lib/use-now.ts";
import { activeSessions } from "../../live/live.ts";

/** "live": being written; "open": a program holds it. */
export type Liveness = "live" | "open" | undefined;

/** An agent may think for so long between two lines. */
const LIVE_MS = 3 * 60_000;
/** A session that is open is one of the latest. */
const LATEST = { limit: 60 };

export const useLatest = () =>
  useQuery({ queryKey: keys.sessions(LATEST), queryFn: ({ signal }) => api.sessions(LATEST, { signal }) });

export function useLiveness(): (session: SessionKey) => Liveness {
  const active = useStore(activeSessions);
  const now = useNow();
  const { data } = useLatest();
  return useMemo(() => {
    const states = new Map<string, Liveness>();
    for (const session of data?.sessions ?? []) {
      if (session.vanishedAt !== null) continue;
      const age = now.getTime() - Date.parse(session.updatedAt ?? "");
      if (age < LIVE_MS) states.set(toKey(session), "live");
      else if (session.openIn !== null) states.set(toKey(session), "open");
    }
    for (const [key, at] of active)
      if (now.getTime() - at < LIVE_MS && states.get(key) === "open") states.set(key, "live");
    return (session) => states.get(toKey(session));
  }, [active, data, now]);
}
