/** Answers that are under way: they go on while other views are open, and are followed again after a restart. */
import type { Input } from "../../../../src/client/index.ts";
import { ApiError, api, keys, queryClient } from "../../lib/api.ts";
import { createStore } from "../../lib/store.ts";
import { type AnswerState, NOTHING_YET, withEvent } from "./answer-state.ts";

export interface LiveAnswer {
  /** What was asked, where this page asked it. */
  readonly asked?: string;
  /** How many messages the conversation had before that. */
  readonly known?: number;
  readonly state: AnswerState;
  readonly status: "answering" | "over" | "lost" | "failed";
  readonly error?: unknown;
  /** Once the record has it: which message of the conversation this is. */
  readonly at?: number;
}

/** By conversation; the last answer of each. */
export const answers = createStore<ReadonlyMap<string, LiveAnswer>>(new Map());

const set = (id: string, change: (before: LiveAnswer | undefined) => LiveAnswer | undefined): void =>
  answers.set((before) => {
    const next = new Map(before);
    const changed = change(before.get(id));
    if (changed) next.set(id, changed);
    else next.delete(id);
    return next;
  });

export const isAnswering = (id: string): boolean => answers.get().get(id)?.status === "answering";
export const forgetAnswer = (id: string): void => set(id, () => undefined);

/** Resolves with the conversation once it is open; throws where nothing was sent. The answer goes on after that. */
export function sendMessage(input: Input<"chat-send">, known = 0): Promise<string> {
  const opened = Promise.withResolvers<string>();
  let id: string | undefined;
  const sending = api.send(input, (event) => {
    if (event.kind === "opened") {
      id = event.id;
      set(event.id, () => ({ asked: input.message, known, state: NOTHING_YET, status: "answering" }));
      void queryClient.invalidateQueries({ queryKey: keys.chats });
      opened.resolve(event.id);
    } else if (id !== undefined) take(id, event);
  });
  void sending.then(
    () => {
      if (id !== undefined) void end(id);
    },
    (error: unknown) => {
      if (id === undefined) opened.reject(error);
      else void end(id, error);
    },
  );
  return opened.promise;
}

const followed = new Set<string>();

/** Takes up an answer that is under way, from its beginning. Without one, nothing happens. */
export async function follow(id: string): Promise<void> {
  if (followed.has(id) || isAnswering(id)) return;
  followed.add(id);
  try {
    await api.followChat(id, (event) => {
      if (event.kind === "opened") set(id, () => ({ state: NOTHING_YET, status: "answering" }));
      else take(id, event);
    });
    if (isAnswering(id)) await end(id);
  } catch (error) {
    if (isAnswering(id)) await end(id, error);
  } finally {
    followed.delete(id);
  }
}

export const stop = (id: string): Promise<unknown> => api.cancelChat(id);

const take = (id: string, event: Parameters<typeof withEvent>[1]): void =>
  set(id, (before = { state: NOTHING_YET, status: "answering" }) => ({
    ...before,
    state: withEvent(before.state, event),
  }));

/** The record has it by now, or will when the server is back. */
async function end(id: string, error?: unknown): Promise<void> {
  const isLost = error !== undefined && !(error instanceof ApiError && error.status > 0);
  const isCut = error === undefined && !answers.get().get(id)?.state.finished;
  if (isLost || isCut) {
    set(id, (before) => before && { ...before, status: "lost" });
    return;
  }
  await queryClient.invalidateQueries({ queryKey: keys.chat(id) }).catch(() => undefined);
  const record = queryClient.getQueryData<Awaited<ReturnType<typeof api.chat>>>(keys.chat(id));
  const at = record?.messages.findLastIndex(({ role }) => role === "assistant");
  set(
    id,
    (before) =>
      before && {
        ...before,
        status: error === undefined ? "over" : "failed",
        ...(error !== undefined && { error }),
        ...(at !== undefined && at >= 0 && { at }),
      },
  );
  void queryClient.invalidateQueries({ queryKey: keys.chats });
}
