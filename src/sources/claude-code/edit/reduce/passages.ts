/** The passages of a transcript that reduction decides about: one for each row, and one for each result in it. */
import { type MadeCall, type Passage, weigherFor } from "../../../../model/reduce/passage.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asObject, asString, type JsonObject } from "../../../log/jsonl.ts";
import { findToolAction } from "../../../tools/actions.ts";
import { toldText } from "../../attachments.ts";
import { type Block, blocksOf, isApiError, isVirtual, modelOf, resultText } from "../../records.ts";
import { TOOL_ACTIONS } from "../../tool-actions.ts";
import { chainForModel } from "../../tree/chain.ts";
import { openRows } from "../../tree/row-reader.ts";
import type { Transcript } from "../transcript.ts";

export interface RowPassage extends Passage {
  /** Its row in the transcript. */
  readonly row: number;
  /** The reply that it is part of. */
  readonly reply?: number;
}

export type Weigh = (text: string) => number;

/** In the order of the conversation. */
export async function readPassages(
  fs: SessionFs,
  { path }: Artifact,
  transcript: Transcript,
  weigh: Weigh,
): Promise<readonly RowPassage[]> {
  const { table, rows, facts, turns, turnOf } = transcript;
  const heard = new Set(chainForModel(facts).rows);
  const prompts = new Set(turns.map(({ row }) => row));
  const reader = openRows(fs, path, { maxLine: Number.POSITIVE_INFINITY });
  const passages: RowPassage[] = [];
  try {
    const last = await lastModel(transcript, (row) => reader.load(table, row));
    for (const row of rows) {
      const isHeard = heard.has(row);
      const about = { row, turn: turnOf(row), ...(!isHeard && { unseen: true }) };
      const loaded = table.isMute(row) ? undefined : await reader.load(table, row);
      if (!loaded || isVirtual(loaded.record)) passages.push({ kind: "other", tokens: 0, ...about });
      else {
        const found = passagesOf(loaded.record, {
          // What the model no longer receives costs nothing, so there is no need to count it.
          weigh: isHeard ? weigh : isThere,
          isPrompt: prompts.has(row),
          model: last,
        });
        for (const each of found) passages.push({ ...each, ...about, ...replyOf(transcript, row) });
      }
    }
  } finally {
    await reader.close();
  }
  return passages;
}

const isThere = weigherFor({}, () => 0);

const replyOf = ({ table }: Transcript, row: number): Pick<RowPassage, "reply"> =>
  table.kind(row) === "assistant" ? { reply: table.reply(row) } : {};

/** Thoughts of any other model are not sent again. */
async function lastModel(
  { table, rows }: Transcript,
  load: (row: number) => Promise<{ readonly record: JsonObject } | undefined>,
): Promise<string | undefined> {
  for (const row of rows.toReversed()) {
    if (table.kind(row) !== "assistant") continue;
    const model = modelOf(asObject((await load(row))?.record.message) ?? {});
    if (model !== undefined) return model;
  }
  return undefined;
}

interface Weighing {
  readonly weigh: Weigh;
  /** It begins a turn. */
  readonly isPrompt: boolean;
  readonly model: string | undefined;
}

type Told = Omit<RowPassage, "row" | "turn">;

export function passagesOf(record: JsonObject, how: Weighing): Told[] {
  const message = asObject(record.message) ?? {};
  switch (record.type) {
    case "assistant":
      return [isApiError(record) ? { kind: "other", tokens: 0 } : answerOf(message, how)];
    case "user":
      return userPassages(record, blocksOf(message), how);
    case "attachment":
      return [{ kind: how.isPrompt ? "prompt" : "other", tokens: how.weigh(toldText(record)) }];
    default:
      return [systemPassage(record, how)];
  }
}

function systemPassage(record: JsonObject, { weigh }: Weighing): Told {
  if (record.subtype === "compact_boundary") return { kind: "summary", tokens: 0 };
  const said = record.subtype === "local_command" ? (asString(record.content) ?? "") : "";
  return said === "" ? { kind: "other", tokens: 0 } : { kind: "said", tokens: weigh(said) };
}

function answerOf(message: JsonObject, { weigh, model }: Weighing): Told {
  const blocks = blocksOf(message);
  const text = blocks.flatMap((block) => (block.type === "text" ? [asString(block.text) ?? ""] : []));
  const makes = blocks.filter(({ type }) => type === "tool_use").map((block) => toMade(block, weigh));
  const thoughts = blocks.filter(isThinking);
  const isSent = modelOf(message) === model;
  const thinks = thoughts.reduce((sum, { thinking }) => sum + weigh(asString(thinking) ?? ""), 0);
  const isOnlyThought = thoughts.length > 0 && thoughts.length === blocks.length;
  return {
    kind: isOnlyThought ? "thought" : "answer",
    tokens: weigh(text.join("\n").trim()),
    ...(makes.length > 0 && { makes }),
    ...(thoughts.length > 0 && { thinks: isSent ? thinks : 0 }),
  };
}

export const isThinking = ({ type }: Block): boolean => type === "thinking" || type === "redacted_thinking";

function toMade(block: Block, weigh: Weigh): MadeCall {
  const name = asString(block.name) ?? "";
  const does = findToolAction(TOOL_ACTIONS, name, block.input)?.does;
  const edits = does === "create" || does === "edit" || does === "delete";
  return {
    ...{ id: asString(block.id) ?? "", name, tokens: weigh(`${name} ${JSON.stringify(block.input ?? {})}`) },
    ...(edits && { edits }),
  };
}

function userPassages(record: JsonObject, blocks: readonly Block[], { weigh, isPrompt }: Weighing): Told[] {
  const results = blocks.filter(({ type }) => type === "tool_result");
  const told = results.map((block): Told => {
    const call = asString(block.tool_use_id);
    const failed = block.is_error === true;
    const tokens = weigh(resultText(block));
    return { kind: "result", tokens, ...(call !== undefined && { call }), ...(failed && { failed }) };
  });
  const words = blocks.filter(({ type }) => type !== "tool_result");
  if (words.length === 0 && told.length > 0) return told;
  const text = words.map((block) => asString(block.text) ?? `[${block.type}]`).join("\n");
  const kind = record.isCompactSummary === true ? "summary" : isPrompt ? "prompt" : "said";
  return [...told, { kind, tokens: weigh(text) }];
}
