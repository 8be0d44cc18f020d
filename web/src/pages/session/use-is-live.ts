/** Whether an agent has just written to a session. */

import { useStore } from "../../lib/store.ts";
import { useNow } from "../../lib/use-now.ts";
import { activeSessions } from "../../live/live.ts";

const LIVE_MS = 90_000;

export function useIsLive(key: string): boolean {
  const at = useStore(activeSessions).get(key);
  const now = useNow();
  return at !== undefined && now.getTime() - at < LIVE_MS;
}
