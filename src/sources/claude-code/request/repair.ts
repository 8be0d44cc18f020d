/** Repairs an unfinished or odd conversation as Claude Code does before sending it again. */
import { printed } from "../../../model/text/printed.ts";
import { asString } from "../../log/jsonl.ts";
import type { Block } from "../records.ts";
import type { AssistantEntry, Entry, UserEntry } from "./entries.ts";

const INTERRUPTED =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]";
const CLOSING = "No response requested.";

/** Drops what is never sent, adds results for interrupted calls, and closes an unanswered conversation. */
export function repair(entries: readonly Entry[], model: string | undefined): Entry[] {
  const answered = answeredCalls(entries);
  const cutOff = cutOffCalls(entries, answered);
  const wanted = new Set([...answered, ...cutOff, ...lostCalls(entries, answered)]);
  const kept = dropEmptyReplies(
    entries
      .filter((entry) => isWanted(entry, wanted))
      .map((entry) => (entry.kind === "assistant" ? withoutForeignThinking(entry, model) : entry)),
  );
  return close(cutOff.length > 0 ? [...kept, interrupted(cutOff)] : kept);
}

const callIds = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => (block.type === "tool_use" ? (asString(block.id) ?? []) : []));

const isResult = (block: Block): boolean => block.type === "tool_result";
const isPrinted = (entry: Entry): boolean => entry.kind === "user" && entry.part === "printed";
const isPrompt = (entry: Entry): boolean =>
  entry.kind === "user" && !isPrinted(entry) && !entry.blocks.some(isResult);

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
  if (after.some(isPrompt)) return [];
  return entries
    .filter((entry) => entry === last || (entry.kind === "assistant" && sameReply(entry, last)))
    .flatMap((entry) => (entry.kind === "assistant" ? callIds(entry.blocks) : []))
    .filter((id) => !answered.has(id));
}

const sameReply = (a: AssistantEntry, b: AssistantEntry): boolean =>
  a.replyId !== undefined && a.replyId === b.replyId;

/**
 * Unanswered calls of a turn that breaks off behind results, or behind its prompt: the program takes the turn up as it is,
 * and the service is told that their results are missing.
 */
function lostCalls(entries: readonly Entry[], answered: ReadonlySet<string>): string[] {
  const turn = entries.slice(Math.max(0, entries.findLastIndex(isPrompt)));
  const settled = dropEmptyReplies(turn.filter((entry) => isWanted(entry, answered)));
  const end = settled.findLast((entry) => entry.kind !== "reminder" && !isPrinted(entry));
  if (end?.kind !== "user") return [];
  return turn
    .flatMap((entry) => (entry.kind === "assistant" ? callIds(entry.blocks) : []))
    .filter((id) => !answered.has(id));
}

/** A row none of whose calls was ever answered is left out, together with any words in it. */
function isWanted(entry: Entry, wanted: ReadonlySet<string>): boolean {
  const calls = entry.kind === "assistant" ? callIds(entry.blocks) : [];
  return calls.length === 0 || calls.some((id) => wanted.has(id));
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
    if (blocks.every((block) => block.type === "text" && printed(block.text).trim() === "")) return false;
    return !blocks.every(isThinking) || (replyId !== undefined && spoken.has(replyId));
  });
}

/**
 * The last user message gets an answer, if only a synthetic one; the record of a command needs none, nor does a summary
 * that the program has announced anew behind what it is about.
 */
function close(entries: Entry[]): Entry[] {
  const last = entries.findLast((entry) => entry.kind !== "reminder" && !isPrinted(entry));
  if (last?.kind !== "user" || endsWithCommand(entries)) return entries;
  if (last.part === "summary" && entries.at(-1)?.kind === "reminder") return entries;
  return entries.toSpliced(entries.findLastIndex((entry) => !isPrinted(entry)) + 1, 0, saying(CLOSING));
}

const RECORDED = new Set<UserEntry["part"]>(["command", "printed"]);

function endsWithCommand(entries: readonly Entry[]): boolean {
  const before = entries.findLast(
    (entry) => entry.kind === "assistant" || (entry.kind === "user" && !RECORDED.has(entry.part)),
  );
  return before?.kind === "user" && before.part === "caveat";
}

const interrupted = (calls: readonly string[]): UserEntry => ({
  kind: "user",
  madeUp: true,
  part: "spoken",
  blocks: calls.map((id) => ({ type: "tool_result", tool_use_id: id, content: INTERRUPTED, is_error: true })),
});

const saying = (text: string): AssistantEntry => ({
  kind: "assistant",
  isError: false,
  blocks: [{ type: "text", text }],
});
