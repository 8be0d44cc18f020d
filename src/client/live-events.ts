/** The stream of live events: it connects again when it breaks, from the last event that came, so nothing is lost. */
import { type ApiError, toApiError, unreachable } from "./api-error.ts";
import { readEvents } from "./event-source.ts";
import type { EventName, ServerEvents } from "./server-events.ts";

export type LiveEvent = {
  readonly [N in EventName]: { readonly type: N; readonly id: string; readonly data: ServerEvents[N] };
}[EventName];

/** `lost`: between two connections, with the reason where there is one. */
export type LiveState = "connecting" | "open" | "lost";

export interface EventsOptions {
  readonly onEvent: (event: LiveEvent) => void;
  readonly onState?: (state: LiveState, error?: ApiError) => void;
  readonly signal?: AbortSignal;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** Resolves when the signal is aborted. */
export async function followEvents(
  open: (lastId: string | undefined, signal: AbortSignal | undefined) => Promise<Response>,
  { onEvent, onState = () => undefined, signal }: EventsOptions,
): Promise<void> {
  let lastId: string | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal?.aborted) {
    onState("connecting");
    try {
      const response = await open(lastId, signal);
      if (!response.ok || !response.body) throw await toApiError(response);
      onState("open");
      await readEvents(response.body, ({ id, type, data }) => {
        pauseMs = FIRST_PAUSE_MS;
        if (id !== undefined) lastId = id;
        onEvent({ type, id: id ?? "", data: JSON.parse(data) } as LiveEvent);
      });
      if (!signal?.aborted) onState("lost");
    } catch (error) {
      if (signal?.aborted) return;
      onState("lost", isApiError(error) ? error : unreachable(error));
    }
    await pause(pauseMs, signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}

const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === "ApiError";

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
