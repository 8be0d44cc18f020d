/** Answers of conversations as they come: they go on when nobody listens, can be followed again, and stop when told to. */
import type { App } from "../app/contract.ts";
import type { StreamOperation } from "../operations/operation.ts";
import type { EventHub } from "./event-hub.ts";
import { toErrorJson } from "./failure-answer.ts";
import { eventStream, formatEvent, type Listener } from "./sse.ts";

export interface ChatAnswers {
  /** Sends a message; throws where nothing could be sent. Gives back what is said, as server-sent events. */
  send(input: unknown, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** The answer that is under way in a conversation, from its beginning. */
  follow(id: string, signal: AbortSignal): ReadableStream<Uint8Array> | undefined;
  /** Whether there was one to stop. */
  cancel(id: string): boolean;
  /** Stops all of them, and waits until what they said is kept. */
  close(): Promise<void>;
}

interface Answer {
  id?: string;
  readonly said: string[];
  size: number;
  readonly listeners: Set<Listener>;
  readonly control: AbortController;
  ended: Promise<void>;
}

/** What is kept of an answer for those who come late; the whole of it is in the record of the conversation. */
const MOST_CHARACTERS = 4 << 20;
const WAITING = 5000;
/** Others hear that a conversation goes on once in so long. */
const NEWS_MS = 1000;

export function createChatAnswers(app: App, operation: StreamOperation, events: EventHub): ChatAnswers {
  const answers = new Set<Answer>();

  const say = (answer: Answer, text: string): void => {
    answer.said.push(text);
    answer.size += text.length;
    while (answer.size > MOST_CHARACTERS && answer.said.length > 1)
      answer.size -= answer.said.shift()?.length ?? 0;
    for (const listener of [...answer.listeners]) listener.send(text);
  };
  const listenTo = (answer: Answer, signal: AbortSignal): ReadableStream<Uint8Array> =>
    eventStream(
      (listener) => {
        listener.send(answer.said.join(""));
        if (answers.has(answer)) answer.listeners.add(listener);
        else listener.end();
        return () => void answer.listeners.delete(listener);
      },
      signal,
      WAITING,
    );

  return {
    async send(input, signal) {
      const answer: Answer = {
        said: [],
        size: 0,
        listeners: new Set(),
        control: new AbortController(),
        ended: Promise.resolve(),
      };
      const opened = Promise.withResolvers<void>();
      let toldAt = 0;
      const tell = (): void => {
        toldAt = performance.now();
        events.publish("chat-changed", { id: answer.id ?? null });
      };
      const take = (item: unknown): void => {
        const json = operation.toJson(item, app) as { readonly kind: string; readonly id?: string };
        if (json.kind === "opened" && json.id !== undefined) answer.id = json.id;
        say(answer, formatEvent({ type: json.kind, data: json }));
        opened.resolve();
        if (performance.now() - toldAt > NEWS_MS) tell();
      };
      answers.add(answer);
      const over = (): void => {
        answers.delete(answer);
        for (const listener of [...answer.listeners]) listener.end();
        tell();
      };
      answer.ended = operation
        .run(app, input as never, take, { signal: answer.control.signal })
        .catch((error: unknown) => {
          opened.reject(error);
          say(answer, formatEvent({ type: "error", data: toErrorJson(error, app.demo !== undefined) }));
        })
        .finally(over);
      await opened.promise;
      return listenTo(answer, signal);
    },
    follow(id, signal) {
      const answer = [...answers].find((each) => each.id === id);
      return answer && listenTo(answer, signal);
    },
    cancel(id) {
      const found = [...answers].filter((each) => each.id === id);
      for (const { control } of found) control.abort();
      return found.length > 0;
    },
    async close() {
      const all = [...answers];
      for (const { control } of all) control.abort();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
