/** The messages the model would receive if the session were resumed, without the system prompt and the new prompt. */
import type { Origin } from "./session.ts";

export interface ContextToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** How much the model of a session takes in. */
export interface ContextLimit {
  readonly tokens: number;
  readonly model?: string;
}

export interface ContextMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  readonly thinking?: string;
  readonly toolCalls?: readonly ContextToolCall[];
  /** On a tool message: the call it answers. */
  readonly toolCallId?: string;
  /** On a tool message: the tool failed, if the vendor tells the model so. */
  readonly isError?: boolean;
  /** On a tool message: how many characters at its end are no part of the result, but reminders of the program. */
  readonly appended?: number;
  /** Text that the program adds for the model (reminders, summaries), as opposed to what people typed. */
  readonly madeUp?: boolean;
  readonly origin?: Origin;
  /** The turn it belongs to, where its source knows; for others `query/turn-places.ts` tells by the origin. */
  readonly turn?: number;
}
