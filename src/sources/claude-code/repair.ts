/** What Claude Code does to an unfinished or odd conversation before it sends it again. */
import { asString } from "../jsonl.ts";
import type { AssistantEntry, Entry, UserEntry } from "./entries.ts";
import type { Block } from "./records.ts";

const INTERRUPTED =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]";
const CLOSING = "No response requested.";

/** Drops what is never sent, answers calls that were cut off, and closes a conversation that nobody answered. */
export function repair(entries: readonly Entry[], model: string | undefined): Entry[] {
  const answered = answeredCalls(entries);
  const cutOff = cutOffCalls(entries, answered);
  const kept = dropEmptyReplies(
    entries
      .filter((entry) => entry.kind !== "assistant" || isWanted(entry, answered, cutOff))
      .map((entry) => (entry.kind === "assistant" ? withoutForeignThinking(entry, model) : entry)),
  );
  if (cutOff.length > 0) kept.push(interrupted(cutOff));
  const last = kept.findLast((entry) => entry.kind !== "reminder");
  if (last?.kind === "user" && !last.isEcho) kept.push(saying(CLOSING));
  return kept;
}

const callIds = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => (block.type === "tool_use" ? (asString(block.id) ?? []) : []));

const isResult = (block: Block): boolean => block.type === "tool_result";

function answeredCalls(entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(
    entries.flatMap((entry) =>
      entry.kind === "user"
        ? entry.blocks.flatMap((block) => (isResult(block) ? (asString(block.tool_use_id) ?? []) : []))
        : [],
    ),
  );
}

/** Calls of the last reply that have no result, when nothing but results came after it: the program died meanwhile. */
function cutOffCalls(entries: readonly Entry[], answered: ReadonlySet<string>): string[] {
  const last = entries.findLast((entry) => entry.kind === "assistant");
  if (!last) return [];
  const after = entries.slice(entries.indexOf(last) + 1);
  if (after.some((entry) => entry.kind === "user" && !entry.blocks.some(isResult))) return [];
  return entries
    .filter((entry) => entry === last || (entry.kind === "assistant" && sameReply(entry, last)))
    .flatMap((entry) => (entry.kind === "assistant" ? callIds(entry.blocks) : []))
    .filter((id) => !answered.has(id));
}

const sameReply = (a: AssistantEntry, b: AssistantEntry): boolean =>
  a.replyId !== undefined && a.replyId === b.replyId;

/** A row none of whose calls was ever answered is left out, together with any words in it. */
function isWanted(entry: AssistantEntry, answered: ReadonlySet<string>, cutOff: readonly string[]): boolean {
  const calls = callIds(entry.blocks);
  return calls.length === 0 || calls.some((id) => answered.has(id) || cutOff.includes(id));
}

const isThinking = (block: Block): boolean => block.type === "thinking" || block.type === "redacted_thinking";

/** Thoughts are signed for the model that had them; another one gets the words only. */
function withoutForeignThinking(entry: AssistantEntry, model: string | undefined): AssistantEntry {
  if (entry.model === undefined || entry.model === model || !entry.blocks.some(isThinking)) return entry;
  return { ...entry, blocks: entry.blocks.filter((block) => !isThinking(block)) };
}

/** Replies without a word or a call in them, and rows of nothing but white space. */
function dropEmptyReplies(entries: readonly Entry[]): Entry[] {
  const spoken = new Set(
    entries.flatMap((entry) =>
      entry.kind === "assistant" &&
      entry.replyId !== undefined &&
      entry.blocks.some((block) => !isThinking(block))
        ? [entry.replyId]
        : [],
    ),
  );
  return entries.filter((entry) => {
    if (entry.kind !== "assistant") return true;
    const { blocks, replyId } = entry;
    if (blocks.length === 0) return true;
    if (blocks.every((block) => block.type === "text" && String(block.text).trim() === "")) return false;
    return !blocks.every(isThinking) || (replyId !== undefined && spoken.has(replyId));
  });
}

const interrupted = (calls: readonly string[]): UserEntry => ({
  kind: "user",
  madeUp: true,
  isEcho: false,
  blocks: calls.map((id) => ({ type: "tool_result", tool_use_id: id, content: INTERRUPTED, is_error: true })),
});

const saying = (text: string): AssistantEntry => ({
  kind: "assistant",
  isError: false,
  blocks: [{ type: "text", text }],
});
