/** What becomes of one row in a smaller copy: blocks that go, and the middle of long texts. */
import { cutText, type Note, shortenInput, shortenStrings } from "../../../../model/reduce/cut-text.ts";
import { type Cuts, isDropped } from "../../../../model/reduce/cuts.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { type Block, blocksOf } from "../../records.ts";
import { isThinking, type RowPassage } from "./passages.ts";

/** A passage and its number. */
export type Numbered = readonly [number, RowPassage];

/** Members of a row with other values; nothing for those that stay. */
export interface RowChange {
  readonly content?: string | readonly unknown[];
  readonly members: Readonly<Record<string, unknown>>;
}

/** How a text is cut to a limit; with the call that it belongs to, where it belongs to one. */
export type Brief = (limit: number, call?: string) => (text: string) => string;

export const briefWith =
  (turn: number, note: Note, tell: (call: string) => void): Brief =>
  (limit, call) =>
  (long) => {
    const short = cutText(long, limit, (left) => note(left, turn));
    if (short !== long && call !== undefined) tell(call);
    return short;
  };

/** Whether any of these cuts concerns a row that stays. */
export const mayChange = (passages: readonly Numbered[], cuts: Cuts): boolean =>
  passages.some(([number, { call, makes = [] }]) => {
    if (cuts.thoughts.has(number) || cuts.texts.has(number)) return true;
    const calls = [...(call === undefined ? [] : [call]), ...makes.map(({ id }) => id)];
    return calls.some((id) => cuts.calls.has(id) || cuts.limits.has(id));
  });

export function changeRow(
  record: JsonObject,
  passages: readonly Numbered[],
  cuts: Cuts,
  brief: Brief,
): RowChange {
  const message = asObject(record.message);
  if (record.type === "assistant" && message)
    return { content: answer(message, passages, cuts, brief), members: {} };
  if (record.type === "user" && message) return userRow(record, message, passages, cuts, brief);
  const limit = limitOf(passages, cuts);
  if (limit === undefined) return { members: {} };
  const cut = (value: unknown): unknown => shortenStrings(value, brief(limit));
  if (record.type !== "attachment") return { members: { content: cut(record.content) } };
  return { members: { rendered: cut(record.rendered), attachment: cut(record.attachment) } };
}

/** Of the words in a row, not of its results. */
function limitOf(passages: readonly Numbered[], cuts: Cuts): number | undefined {
  const words = passages.find(([, { kind }]) => kind !== "result");
  return words && cuts.texts.get(words[0]);
}

function answer(
  message: JsonObject,
  passages: readonly Numbered[],
  cuts: Cuts,
  brief: Brief,
): string | readonly unknown[] {
  const limit = limitOf(passages, cuts);
  const forgets = passages.some(([number]) => cuts.thoughts.has(number));
  const short = (block: Block): Block[] => {
    if (isThinking(block)) return forgets ? [] : [block];
    if (block.type === "text") return [cutBlock(block, limit, brief)];
    if (block.type !== "tool_use") return [block];
    const id = asString(block.id) ?? "";
    if (cuts.calls.has(id)) return [];
    const most = cuts.limits.get(id);
    return [most === undefined ? block : { ...block, input: shortenInput(block.input, brief(most, id)) }];
  };
  if (typeof message.content === "string")
    return limit === undefined ? message.content : brief(limit)(message.content);
  return blocksOf(message).flatMap(short);
}

const cutBlock = (block: Block, limit: number | undefined, brief: Brief): Block =>
  limit === undefined || typeof block.text !== "string"
    ? block
    : { ...block, text: brief(limit)(block.text) };

function userRow(
  record: JsonObject,
  message: JsonObject,
  passages: readonly Numbered[],
  cuts: Cuts,
  brief: Brief,
): RowChange {
  const limit = limitOf(passages, cuts);
  if (typeof message.content === "string")
    return { members: {}, ...(limit !== undefined && { content: brief(limit)(message.content) }) };
  const gone = new Set(
    passages.flatMap(([number, passage]) =>
      passage.kind === "result" && isDropped(passage, number, cuts) ? [passage.call] : [],
    ),
  );
  const limits = new Set<number>();
  const content = asArray(message.content).flatMap((each) => {
    if (!isObject(each)) return [each];
    const block = each as Block;
    if (block.type !== "tool_result") return [cutBlock(block, limit, brief)];
    const call = asString(block.tool_use_id);
    if (gone.has(call)) return [];
    const most = call === undefined ? undefined : cuts.limits.get(call);
    if (most === undefined) return [block];
    limits.add(most);
    return [{ ...block, content: shortenStrings(block.content, brief(most, call)) }];
  });
  const most = Math.min(...limits);
  const told = record.toolUseResult;
  return {
    content,
    // For people, the result stands in the row a second time.
    members:
      told === undefined || !Number.isFinite(most)
        ? {}
        : { toolUseResult: shortenStrings(told, brief(most)) },
  };
}
