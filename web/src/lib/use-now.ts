/** The time, as often as "5 min ago" changes; one timer for the whole page, which rests while it is hidden. */
import { useSyncExternalStore } from "react";

const EVERY_MS = 30_000;
let now = new Date();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  if (document.hidden) return;
  now = new Date();
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = new Date();
    timer = setInterval(tick, EVERY_MS);
    document.addEventListener("visibilitychange", tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener("visibilitychange", tick);
  };
}

export const useNow = (): Date => useSyncExternalStore(subscribe, () => now);
