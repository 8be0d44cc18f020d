/** What was said in the program itself since we last heard of a session: it belongs to the conversation, too. */
import type { ChatMessage } from "./chat-record.ts";

/** What follows, in all that was said, on the turn of ours that was last. Nothing where that turn is not to be found. */
export function findMissed(
  messages: readonly ChatMessage[],
  all: readonly ChatMessage[],
): readonly ChatMessage[] {
  const last = messages.findLast(isPrompt)?.text.trim();
  const at = all.findLastIndex((message) => isPrompt(message) && message.text.trim() === last);
  if (at < 0) return [];
  const next = all.findIndex((message, number) => number > at && isPrompt(message));
  return next < 0 ? [] : all.slice(next);
}

/** The same may be asked again and again. */
export const timesAsked = (messages: readonly ChatMessage[], text: string): number =>
  messages.filter((message) => isPrompt(message) && message.text.trim() === text.trim()).length;

const isPrompt = ({ role }: ChatMessage): boolean => role === "user";
