/**
 * Replays a log as Copilot CLI does on resume: only file order counts, sub-agents are left out, and a compaction or
 * clearing replaces what came before. The rules come from the real program; FORMAT.md has the list.
 */
import type { ContextToolCall } from "../../../model/session/context.ts";
import type { Origin } from "../../../model/session/session.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import type { Role } from "../log/event-type.ts";
import { roleOf } from "../log/event-types.ts";
import { toInput } from "../log/events.ts";
import { type CopilotRecord, isMain } from "../log/records.ts";
import { isRenderable } from "./attachments.ts";
import { createConversation, type ReplayItem } from "./conversation.ts";
import { shellOutput, summaryText } from "./vendor-prompts.ts";

export interface Replay {
  push(record: CopilotRecord, origin: Origin): void;
  end(): ReplayItem[];
}

const HEARD = [
  "prompt",
  "answer",
  "user-call",
  "result",
  "notification",
  "skill",
  "compaction-start",
  "compaction",
  "clear",
  "abort",
  "resume",
] as const satisfies readonly Role[];

/** Whether a replay takes anything from records of this role. */
export const isHeard = (role: Role | undefined): role is (typeof HEARD)[number] =>
  (HEARD as readonly (Role | undefined)[]).includes(role);

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

/** `hold` gives what is kept of each result and answer. */
export function createReplay(hold: (text: string) => string = (text) => text): Replay {
  const conversation = createConversation((text) => hold(text.toWellFormed()));
  /** What people asked since the last clearing; a summary repeats it. */
  let prompts: string[] = [];
  /** Where the running compaction began; what came after it stays. */
  let compactionStart: number | undefined;
  /** The message that a clearing wants first; it goes before the next prompt. */
  let initial: string | undefined;
  /** Calls that were open when the context was cleared; as long as they are, their turn goes on unheard. */
  const unheard = new Set<string>();
  const commands = new Map<string, string>();

  const handlers: Record<(typeof HEARD)[number], (record: CopilotRecord, origin: Origin) => void> = {
    prompt({ data }, origin) {
      const attachments = asArray(data.attachments).filter(isObject);
      // An attachment of a kind it does not know makes the program overlook the whole message.
      if (!attachments.every(isRenderable)) return;
      unheard.clear();
      const content = asString(data.content) ?? "";
      if (initial !== undefined) {
        if (initial !== content) {
          conversation.say(initial, {});
          prompts.push(initial);
        }
        initial = undefined;
      }
      if (content.trim() !== "" && isAsked(asString(data.source))) prompts.push(content);
      const text = asString(data.transformedContent) ?? content;
      conversation.say(text, { origin, ...(attachments.length > 0 && { attachments }) });
    },

    answer({ data, ephemeral }, origin) {
      if (ephemeral || unheard.size > 0) return;
      const text = asString(data.content) ?? "";
      const calls = asArray(data.toolRequests).flatMap(toCall);
      const apiCallId = asString(data.apiCallId);
      conversation.answer(text, calls, { origin, ...(apiCallId !== undefined && { apiCallId }) });
    },

    "user-call"({ data }) {
      const command = asString(asObject(data.arguments)?.command);
      if (command !== undefined) commands.set(asString(data.toolCallId) ?? "", command);
    },

    result({ data }, origin) {
      const callId = asString(data.toolCallId) ?? "";
      const text = resultText(data);
      if (data.isUserRequested === true) {
        conversation.say(shellOutput(commands.get(callId), data.success === true, text), {
          origin,
          madeUp: true,
        });
        return;
      }
      unheard.delete(callId);
      conversation.result({ kind: "result", callId, text: hold(text.toWellFormed()), origin });
    },

    notification({ data }, origin) {
      if (!NOTIFICATIONS.has(asString(asObject(data.kind)?.type) ?? "")) return;
      unheard.clear();
      conversation.say(asString(data.content) ?? "", { origin, madeUp: true });
    },
    skill({ data }, origin) {
      if (unheard.size === 0) conversation.say(asString(data.content) ?? "", { origin, madeUp: true });
    },

    "compaction-start"() {
      compactionStart = conversation.length();
    },
    compaction({ data }, origin) {
      const summary = asString(data.summaryContent) ?? "";
      if (data.success !== true || summary === "") return;
      const text = summaryText(prompts, summary, asString(data.activeWorkflowSummary));
      conversation.compact(compactionStart, text, origin);
      compactionStart = undefined;
    },
    clear({ data }) {
      for (const id of conversation.forget()) unheard.add(id);
      prompts = [];
      compactionStart = undefined;
      initial = asString(data.initialMessage) || undefined;
    },

    abort() {
      conversation.giveUp();
      unheard.clear();
      initial = undefined;
    },
    resume() {
      conversation.giveUp();
      unheard.clear();
    },
  };

  return {
    push(record, origin) {
      const role = isMain(record) ? roleOf(record.type) : undefined;
      if (isHeard(role)) handlers[role](record, origin);
    },
    end() {
      conversation.cutShort();
      if (initial !== undefined) conversation.say(initial, {});
      return conversation.items();
    },
  };
}

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
      arguments: call.type === "custom" ? { input: toText(given) } : toInput(given),
    },
  ];
}

/** A grammar-based tool takes plain text, whatever it was given. */
const toText = (given: unknown): string =>
  typeof given === "string" ? given : given === undefined ? "" : JSON.stringify(given);

function resultText(data: JsonObject): string {
  if (data.success === true) return asString(asObject(data.result)?.content) ?? "";
  return asString(asObject(data.error)?.message) ?? "Tool execution failed";
}
