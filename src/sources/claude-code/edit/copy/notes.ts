/** The lines of a transcript that are no part of the conversation: which of them a copy takes along. */
import { asString, type JsonObject } from "../../../log/jsonl.ts";

/** About the original alone: its end, its names, its cost, what was sent for it, and where it ran. */
const LEFT_OUT = new Set<unknown>([
  "last-prompt",
  "custom-title",
  "ai-title",
  "summary",
  "agent-name",
  "queue-operation",
  "api-request",
  "api-request-shape",
  "api-request-blob",
  "cost-state",
  "tools-used",
  "bridge-session",
  "derived-from",
  "worktree-state",
]);

/** States of files before a prompt, and of those that its turn was the first to change. */
const FILE_STATES = new Set<unknown>(["file-history-snapshot", "file-history-delta"]);

/** What nobody knows goes along. `keeps` says whether a row of the conversation stays, by its id. */
export function keepsNote(record: JsonObject, keeps: (id: string) => boolean): boolean {
  if (FILE_STATES.has(record.type))
    return keeps(asString(record.snapshotMessageId) ?? asString(record.messageId) ?? "");
  return !LEFT_OUT.has(record.type);
}

/** As `/rename` writes it. */
export const titleLine = (id: string, title: string): string =>
  `${JSON.stringify({ type: "custom-title", customTitle: title, sessionId: id })}\n`;

/** Says where the conversation ends, whatever row is the last of the file. */
export const endLine = (id: string, leaf: string, explicit = false): string =>
  `${JSON.stringify({ type: "last-prompt", leafUuid: leaf, ...(explicit && { explicit }), sessionId: id })}\n`;
