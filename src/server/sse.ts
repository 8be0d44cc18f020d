/** Server-sent events as the body of an answer: a client that does not take them is left, instead of kept waiting for. */

export interface Listener {
  send(text: string): void;
  end(): void;
}

/** `listen` is called with what takes texts, and gives back what stops it. */
export function eventStream(
  listen: (listener: Listener) => () => void,
  signal: AbortSignal,
  mostWaiting: number,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOver = false;
  let stop = (): void => undefined;
  const leave = (): void => {
    isOver = true;
    stop();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (): void => {
          if (isOver) return;
          leave();
          signal.removeEventListener("abort", end);
          controller.close();
        };
        stop = listen({
          send(text) {
            if (isOver) return;
            if ((controller.desiredSize ?? 0) <= 0) end();
            else controller.enqueue(encoder.encode(text));
          },
          end,
        });
        // It may have ended while `stop` was not known yet.
        if (isOver) stop();
        signal.addEventListener("abort", end, { once: true });
        if (signal.aborted) end();
      },
      cancel: leave,
    },
    new CountQueuingStrategy({ highWaterMark: mostWaiting }),
  );
}

export interface SentEvent {
  readonly id?: string;
  readonly type: string;
  readonly data: unknown;
}

export const formatEvent = ({ id, type, data }: SentEvent): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

export const eventAnswer = (body: ReadableStream<Uint8Array>): Response =>
  new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
