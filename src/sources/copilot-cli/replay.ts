/**
 * Replays a log as Copilot CLI does on resume: file order alone counts, sub-agents are left out, a compaction or a
 * clearing takes the place of what came before. The rules were asked of the real program; FORMAT.md has the list.
 */
import type { ContextToolCall } from "../../model/context.ts";
import type { Origin } from "../../model/session.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../jsonl.ts";
import { isRenderable } from "./attachments.ts";
import { toInput } from "./events.ts";
import { INTERRUPTED, KILLED, shellOutput, summaryText } from "./made-up.ts";
import { type CopilotRecord, isMain } from "./records.ts";

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
}

export interface ReplayResult {
  readonly kind: "result";
  readonly callId: string;
  readonly text: string;
  readonly origin?: Origin;
}

export type ReplayItem = ReplayMessage | ReplayResult;

export interface Replay {
  push(record: CopilotRecord, origin: Origin): void;
  end(): ReplayItem[];
}

const NOTIFICATIONS = new Set([
  "agent_completed",
  "agent_idle",
  "instruction_discovered",
  "new_inbox_message",
  "shell_completed",
  "shell_detached_completed",
  "unclassified",
  "workflow_completed",
]);

export function createReplay(): Replay {
  let items: ReplayItem[] = [];
  /** What people asked since the last clearing; a summary repeats it. */
  let prompts: string[] = [];
  /** Where the running compaction began; what came after it stays. */
  let compactionStart: number | undefined;
  /** The message that a clearing wants first; it goes before the next prompt. */
  let initial: string | undefined;
  /** Calls without a result yet, and those of them that the newest answer made. */
  const open = new Set<string>();
  let newest: readonly string[] = [];
  const commands = new Map<string, string>();

  const say = (text: string, more: Partial<ReplayMessage>): void =>
    void items.push({ kind: "message", role: "user", text, calls: [], ...more });

  const settle = (text: string, ids: Iterable<string> = open): void => {
    for (const callId of ids) items.push({ kind: "result", callId, text });
    open.clear();
  };

  const handlers: Record<string, (record: CopilotRecord, origin: Origin) => void> = {
    "user.message"({ data }, origin) {
      const attachments = asArray(data.attachments).filter(isObject);
      // An attachment of a kind it does not know makes the program overlook the whole message.
      if (!attachments.every(isRenderable)) return;
      const content = asString(data.content) ?? "";
      if (initial !== undefined) {
        if (initial !== content) {
          say(initial, {});
          prompts.push(initial);
        }
        initial = undefined;
      }
      if (content.trim() !== "" && isAsked(asString(data.source))) prompts.push(content);
      const text = asString(data.transformedContent) ?? content;
      say(text, { origin, ...(attachments.length > 0 && { attachments }) });
    },

    "assistant.message"({ data, ephemeral }, origin) {
      if (ephemeral) return;
      const text = asString(data.content) ?? "";
      const calls = asArray(data.toolRequests).flatMap(toCall);
      const apiCallId = asString(data.apiCallId);
      const last = items.at(-1);
      if (last && isFirstPart(last, apiCallId)) {
        last.text += text;
        last.calls.push(...calls);
      } else {
        const more = { role: "assistant" as const, calls, origin };
        say(text, { ...more, ...(apiCallId !== undefined && { apiCallId }) });
      }
      newest = calls.map((call) => call.id);
      for (const id of newest) open.add(id);
    },

    "tool.user_requested"({ data }) {
      const command = asString(asObject(data.arguments)?.command);
      if (command !== undefined) commands.set(asString(data.toolCallId) ?? "", command);
    },

    "tool.execution_complete"({ data }, origin) {
      const callId = asString(data.toolCallId) ?? "";
      const text = resultText(data);
      if (data.isUserRequested === true) {
        say(shellOutput(commands.get(callId), data.success === true, text), { origin, madeUp: true });
        return;
      }
      open.delete(callId);
      items.push({ kind: "result", callId, text, origin });
    },

    "system.notification"({ data }, origin) {
      if (NOTIFICATIONS.has(asString(asObject(data.kind)?.type) ?? ""))
        say(asString(data.content) ?? "", { origin, madeUp: true });
    },
    "skill.context_delivered": ({ data }, origin) =>
      say(asString(data.content) ?? "", { origin, madeUp: true }),

    "session.compaction_start"() {
      // An answer whose calls still run stays whole, so that their results find it.
      const answer = newest.some((id) => open.has(id)) ? items.findLastIndex(isAnswer) : -1;
      compactionStart = answer < 0 ? items.length : answer;
    },
    "session.compaction_complete"({ data }, origin) {
      const summary = asString(data.summaryContent) ?? "";
      if (data.success !== true || summary === "") return;
      const kept = compactionStart === undefined ? [] : items.slice(compactionStart);
      compactionStart = undefined;
      items = [];
      say(summaryText(prompts, summary, asString(data.activeWorkflowSummary)), { origin, madeUp: true });
      items.push(...kept);
    },
    "session.context_cleared"({ data }) {
      items = [];
      open.clear();
      prompts = [];
      compactionStart = undefined;
      initial = asString(data.initialMessage) || undefined;
    },

    // Nothing runs any more, so what is still open stays without a result, even if one is recorded later.
    abort: () => settle(INTERRUPTED),
    "session.resume": () => settle(INTERRUPTED),
  };

  return {
    push(record, origin) {
      if (isMain(record)) handlers[record.type]?.(record, origin);
    },
    end() {
      settle(
        KILLED,
        newest.filter((id) => open.has(id)),
      );
      if (initial !== undefined) say(initial, {});
      return items;
    },
  };
}

const isAnswer = (item: ReplayItem): boolean => item.kind === "message" && item.role === "assistant";

/** An answer that ends with tool calls is complete; only one without can be continued. */
const isFirstPart = (item: ReplayItem, apiCallId: string | undefined): item is ReplayMessage =>
  item.kind === "message" &&
  item.role === "assistant" &&
  apiCallId !== undefined &&
  item.apiCallId === apiCallId &&
  item.calls.length === 0;

/** Messages that skills, schedules and the like put in a user's mouth are not repeated in a summary. */
const isAsked = (source: string | undefined): boolean =>
  source === undefined || source === "user" || source.startsWith("agent-");

function toCall(value: unknown): ContextToolCall[] {
  const call = asObject(value);
  if (!call) return [];
  const given = call.arguments;
  return [
    {
      id: asString(call.toolCallId) ?? "",
      name: asString(call.name) ?? "",
      // A grammar-based tool takes plain text, which goes over the wire under this name.
      arguments: call.type === "custom" && typeof given === "string" ? { input: given } : toInput(given),
    },
  ];
}

function resultText(data: JsonObject): string {
  if (data.success === true) return asString(asObject(data.result)?.content) ?? "";
  return asString(asObject(data.error)?.message) ?? "Tool execution failed";
}
