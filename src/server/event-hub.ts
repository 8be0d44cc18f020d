/** What happens, as numbered events: the latest are kept, so that a client which comes back has missed nothing. */
import type { EventName, ServerEvents } from "../client/server-events.ts";
import { eventStream, formatEvent, type Listener } from "./sse.ts";

interface KeptEvent {
  readonly id: string;
  readonly type: EventName;
  readonly data: ServerEvents[EventName];
}

export interface EventHub {
  publish<N extends EventName>(type: N, data: ServerEvents[N]): void;
  /** What happened since the event with that id, and then what happens. */
  stream(since: string | undefined, signal: AbortSignal): ReadableStream<Uint8Array>;
  /** Ends all streams. */
  close(): void;
}

/** So many events are kept for those who come back. */
const KEPT = 2000;
/** A client that has so many events waiting takes none; it may come back for them. */
const WAITING = 500;
/** Says that the connection is alive, to whatever stands in between. */
const HEARTBEAT_MS = 15_000;
/** A client tries again after so long. */
const RETRY_MS = 1000;

export function createEventHub(instance: string): EventHub {
  const kept: KeptEvent[] = [];
  const listeners = new Set<Listener>();
  let count = 0;
  const idOf = (number: number): string => `${instance}-${number}`;
  const heartbeat = setInterval(() => {
    for (const listener of [...listeners]) listener.send(": still here\n\n");
  }, HEARTBEAT_MS);
  heartbeat.unref();

  /** Nothing where it cannot be told what was missed. */
  const missedSince = (id: string): KeptEvent[] | undefined => {
    const number = id.startsWith(`${instance}-`) ? Number(id.slice(instance.length + 1)) : Number.NaN;
    const missed = count - number;
    if (!Number.isInteger(number) || missed < 0 || missed > kept.length) return undefined;
    return missed === 0 ? [] : kept.slice(-missed);
  };
  const firstFor = (id: string | undefined): string => {
    const ready = formatEvent({ id: idOf(count), type: "ready", data: { instance } });
    if (id === undefined || id === "") return ready;
    const missed = missedSince(id);
    if (missed) return missed.map(formatEvent).join("") + ready;
    const why = id.startsWith(`${instance}-`) ? "too-old" : "restarted";
    return formatEvent({ id: idOf(count), type: "reset", data: { why } }) + ready;
  };

  return {
    publish(type, data) {
      const event = { id: idOf(++count), type, data };
      kept.push(event);
      if (kept.length > KEPT) kept.shift();
      for (const listener of [...listeners]) listener.send(formatEvent(event));
    },
    stream: (id, signal) =>
      eventStream(
        (listener) => {
          listeners.add(listener);
          listener.send(`retry: ${RETRY_MS}\n\n${firstFor(id)}`);
          return () => void listeners.delete(listener);
        },
        signal,
        WAITING,
      ),
    close() {
      clearInterval(heartbeat);
      for (const listener of [...listeners]) listener.end();
    },
  };
}
