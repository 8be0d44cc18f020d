/** Splits messages into parts that are counted each on their own: thinking, texts, calls and results. */
import type { ContextMessage, ContextToolCall } from "../model/session/context.ts";

export const SHARE_KINDS = [
  "prompts",
  "answers",
  "thinking",
  "tool-calls",
  "tool-results",
  "made-up",
] as const;
export type ShareKind = (typeof SHARE_KINDS)[number];

export interface ContextPart {
  readonly kind: ShareKind;
  /** Of calls and results. */
  readonly tool?: string;
  readonly callId?: string;
  readonly said: string | ContextToolCall;
}

/** The parts of each message, in order. */
export function splitMessages(messages: readonly ContextMessage[]): ContextPart[][] {
  const toolOf = new Map<string, string>();
  return messages.map((message) => {
    const parts: ContextPart[] = [];
    const { role, text, thinking, toolCallId } = message;
    if (thinking) parts.push({ kind: "thinking", said: thinking });
    if (role === "tool") {
      const tool = toolOf.get(toolCallId ?? "") ?? "unknown tool";
      parts.push({
        kind: "tool-results",
        tool,
        said: text,
        ...(toolCallId !== undefined && { callId: toolCallId }),
      });
    } else if (text !== "") parts.push({ kind: kindOfText(message), said: text });
    for (const call of message.toolCalls ?? []) {
      toolOf.set(call.id, call.name);
      parts.push({ kind: "tool-calls", tool: call.name, callId: call.id, said: call });
    }
    return parts;
  });
}

/** What is counted of a part. */
export const textOf = ({ said }: ContextPart): string =>
  typeof said === "string" ? said : `${said.name} ${JSON.stringify(said.arguments) ?? ""}`;

function kindOfText(message: ContextMessage): ShareKind {
  if (message.madeUp) return "made-up";
  return message.role === "assistant" ? "answers" : "prompts";
}
