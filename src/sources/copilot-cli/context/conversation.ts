/** The conversation that a replay builds: each result after its call, and the calls that still have none. */
import type { ContextToolCall } from "../../../model/session/context.ts";
import type { Origin } from "../../../model/session/session.ts";
import { append } from "../../../model/values/lists.ts";
import type { JsonObject } from "../../log/jsonl.ts";
import { INTERRUPTED, KILLED } from "./vendor-prompts.ts";

export interface ReplayMessage {
  readonly kind: "message";
  readonly role: "user" | "assistant";
  text: string;
  readonly calls: ContextToolCall[];
  readonly origin?: Origin;
  readonly madeUp?: boolean;
  readonly attachments?: readonly JsonObject[];
  /** One answer of the model may have been written as several records. */
  readonly apiCallId?: string;
  /** A result of one of its calls was recorded. */
  answered?: boolean;
}

export interface ReplayResult {
  readonly kind: "result";
  readonly callId: string;
  readonly text: string;
  readonly origin?: Origin;
}

export type ReplayItem = ReplayMessage | ReplayResult;

export interface Conversation {
  say(text: string, more: Partial<ReplayMessage>): ReplayMessage;
  answer(text: string, calls: readonly ContextToolCall[], more: Partial<ReplayMessage>): void;
  result(result: ReplayResult): void;
  /** Nothing runs any more: what is still open stays without a result, even if one is recorded later. */
  giveUp(): void;
  /** The log ends here: the program warns of calls that may have been stopped half-way. */
  cutShort(): void;
  length(): number;
  /** Replaces what came before `start` (all, without one) by a summary. */
  compact(start: number | undefined, summary: string, origin: Origin): void;
  /** Forgets all, and tells which calls were open. */
  forget(): string[];
  items(): ReplayItem[];
}

/** `hold` gives what is kept of an answer once nothing can be added to it. */
export function createConversation(hold: (text: string) => string = (text) => text): Conversation {
  let items: ReplayItem[] = [];
  /** Behind it stand nothing but results. */
  let last: ReplayMessage | undefined;
  /** The calls without a result yet, and who made them; of two with one id, the first. */
  const open = new Map<string, ReplayMessage>();
  /** The ids that need no result until they are called again: theirs is there, or their call is forgotten. */
  const done = new Set<string>();

  const settle = (text: string, ids: readonly string[]): void => {
    for (const callId of ids) conversation.result({ kind: "result", callId, text });
  };

  const close = (id: string): void => {
    open.delete(id);
    done.add(id);
  };

  const conversation: Conversation = {
    say(text, more) {
      const message: ReplayMessage = { kind: "message", role: "user", text, calls: [], ...more };
      items.push(message);
      if (last?.role === "assistant") last.text = hold(last.text);
      last = message;
      return message;
    },
    answer(text, calls, more) {
      let message = last;
      if (message && isFirstPart(message, more.apiCallId)) {
        message.text += text;
        append(message.calls, calls);
      } else message = conversation.say(text, { ...more, role: "assistant", calls: [...calls] });
      for (const { id } of calls) {
        if (!open.has(id)) open.set(id, message);
        done.delete(id);
      }
    },
    result(result) {
      const { callId } = result;
      if (done.has(callId)) return;
      const caller = open.get(callId);
      close(callId);
      // The caller is near the end, however long the conversation; mostly it spoke last, with results behind it alone.
      let at = caller && caller !== last ? items.lastIndexOf(caller) + 1 : items.length;
      while (items[at]?.kind === "result") at++;
      items.splice(at, 0, result);
      if (caller) caller.answered = true;
    },
    giveUp: () => settle(INTERRUPTED, [...open.keys()]),
    cutShort: () => settle(KILLED, callsCutShort(items, open)),
    length: () => items.length,
    compact(start, summary, origin) {
      const kept = start === undefined ? [] : items.slice(withCaller(items, start));
      items = [];
      conversation.say(summary, { origin, madeUp: true });
      append(items, kept);
      last = items.findLast((item) => item.kind === "message");
      const stays = new Set<unknown>(kept);
      for (const [id, caller] of open) if (!stays.has(caller)) close(id);
    },
    forget() {
      const ids = [...open.keys()];
      items = [];
      last = undefined;
      ids.forEach(close);
      return ids;
    },
    items: () => items,
  };
  return conversation;
}

/** An answer that ends with tool calls is complete; only one without can be continued. */
const isFirstPart = (message: ReplayMessage, apiCallId: string | undefined): boolean =>
  message.role === "assistant" &&
  apiCallId !== undefined &&
  message.apiCallId === apiCallId &&
  message.calls.length === 0;

/** Where the part to keep begins, so that it does not begin with results: the answer that asked for them stays. */
function withCaller(items: readonly ReplayItem[], start: number): number {
  let at = start;
  while (at > 0 && items[at]?.kind === "result") at--;
  return at;
}

/** Looking at a file leaves nothing half done, so the program does not warn of it. */
const HARMLESS = "view";

/** The open calls of the last answer, and of the answers right before it that have no result at all. */
function callsCutShort(items: readonly ReplayItem[], open: ReadonlyMap<string, unknown>): string[] {
  const messages = items.filter((item) => item.kind === "message");
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const before = messages.findLastIndex(
    ({ calls, answered }, at) => at <= last && (calls.length === 0 || (answered && at < last)),
  );
  const calls = messages.slice(before + 1, last + 1).flatMap((message) => message.calls);
  const firsts = new Map(calls.toReversed().map((call) => [call.id, call]));
  const cut = calls.filter(
    (call) => open.has(call.id) && firsts.get(call.id) === call && call.name !== HARMLESS,
  );
  return cut.map(({ id }) => id);
}
