/** Asks again after failures that pass by themselves, each time a little later. */

export interface Patience {
  /** How often one request is sent at most. */
  readonly attempts: number;
  readonly firstMs: number;
  readonly longestMs: number;
  /** Between 0 and 1, so that many clients do not come back at the same moment. */
  random(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const PATIENT: Patience = {
  attempts: 6,
  firstMs: 500,
  longestMs: 30_000,
  random: Math.random,
  sleep,
};

/** Whatever a server asks for, nobody waits longer. */
const LONGEST_ASKED_MS = 120_000;

/** The wait before the next attempt, the first being 1: exponential, at least half of it for certain. */
export function waitMs(patience: Patience, attempt: number, askedMs?: number): number {
  const full = Math.min(patience.longestMs, patience.firstMs * 2 ** (attempt - 1));
  const own = full / 2 + (full / 2) * patience.random();
  return askedMs === undefined ? own : Math.max(Math.min(askedMs, LONGEST_ASKED_MS), own);
}

/** As the header says it: seconds, or a date. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Ends early when the signal is aborted. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
