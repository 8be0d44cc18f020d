/**
 * What budgets would leave of a transcript, from one reading of it: the rows that the model hears are held in memory, long
 * results by their ends, and cut as a clone would be.
 */
import { toNote } from "../../../../model/reduce/cut-text.ts";
import { type Cuts, toCuts, toLedger } from "../../../../model/reduce/cuts.ts";
import { createHeldTexts, type HeldTexts } from "../../../../model/reduce/held-text.ts";
import { createLadder } from "../../../../model/reduce/ladder.ts";
import { weigherFor } from "../../../../model/reduce/passage.ts";
import type { ContextMessage } from "../../../../model/session/context.ts";
import type { Artifact, Origin } from "../../../../model/session/session.ts";
import { formatKey } from "../../../../model/values/id.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { BudgetPreview, PreviewedMessage } from "../../../editor.ts";
import { asArray, asObject, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { messagesOf } from "../../context.ts";
import { chainForModel } from "../../tree/chain.ts";
import { openRows } from "../../tree/row-reader.ts";
import { nothingToCopy } from "../copy/clone.ts";
import { openSound, type Transcript } from "../transcript.ts";
import { readPassages } from "./passages.ts";
import { byRow, forgetThoughts, keepsRow } from "./reduce.ts";
import { type Brief, changeRow, mayChange } from "./row-change.ts";

export async function preview(
  disk: SessionFs,
  artifact: Artifact,
  count: (text: string) => number,
): Promise<BudgetPreview> {
  const { fs, transcript } = await openSound(disk, artifact);
  const turns = transcript.turns.length;
  if (turns === 0) throw nothingToCopy(artifact);
  const passages = await readPassages(fs, artifact, transcript, weigherFor({ budget: 0 }, count));
  const rows = byRow(passages);
  const texts = createHeldTexts(count, transcript.rescued ? "counted" : "uncounted");
  const { held, bytes } = await holdRows(fs, artifact, transcript, texts);
  const key = formatKey(artifact);
  const note = toNote(key);
  const ladder = createLadder(passages, toCuts(passages, turns, {}, key), { turns });

  const draw = (cuts: Cuts): { messages: readonly PreviewedMessage[]; cutCalls: ReadonlySet<string> } => {
    const cutCalls = new Set<string>();
    const left = held.flatMap(({ row, record, origin }) => {
      const numbered = rows.get(row) ?? [];
      if (!keepsRow(numbered, cuts)) return [];
      if (!mayChange(numbered, cuts)) return [{ record, origin }];
      const brief: Brief = (limit, call) => (long) => {
        const short = texts.cut(long, limit, (chars) => note(chars, numbered[0]?.[1].turn ?? -1));
        if (short !== long && call !== undefined) cutCalls.add(call);
        return short;
      };
      const { content, members } = changeRow(record, numbered, cuts, brief);
      const message = content === undefined ? record.message : { ...asObject(record.message), content };
      return [{ record: { ...record, ...members, message }, origin }];
    });
    return { messages: messagesOf(left).map(toPreviewed), cutCalls };
  };

  return {
    count: texts.count,
    bytes,
    draw(budget) {
      const cuts = toCuts(passages, turns, {}, key);
      const steps = ladder.fit(cuts, budget);
      forgetThoughts(passages, cuts);
      let drawn: ReturnType<typeof draw> | undefined;
      const once = (): ReturnType<typeof draw> => {
        drawn ??= draw(cuts);
        return drawn;
      };
      return {
        steps,
        turns: turns - cuts.turns.size,
        dropped: cuts.turns,
        messages: () => once().messages,
        ledger: () => toLedger(passages, turns, cuts, once().cutCalls),
      };
    },
  };
}

interface HeldRow {
  readonly row: number;
  readonly record: JsonObject;
  readonly origin: Origin;
}

async function holdRows(
  fs: SessionFs,
  { path }: Artifact,
  { table, facts }: Transcript,
  texts: HeldTexts,
): Promise<{ readonly held: readonly HeldRow[]; readonly bytes: number }> {
  const reader = openRows(fs, path, { maxLine: Number.POSITIVE_INFINITY });
  const held: HeldRow[] = [];
  let bytes = 0;
  try {
    for (const row of chainForModel(facts).rows) {
      const loaded = table.isMute(row) ? undefined : await reader.load(table, row);
      if (!loaded) continue;
      const record = heldRecord(loaded.record, texts);
      bytes += record === loaded.record ? table.end(row) - table.start(row) : MOST_OF_RESULT;
      held.push({ row, record, origin: loaded.origin });
    }
  } finally {
    await reader.close();
  }
  return { held, bytes };
}

const MOST_OF_RESULT = 5000;

/** Results by their ends; what they hold a second time, for people, is not needed. */
function heldRecord(record: JsonObject, texts: HeldTexts): JsonObject {
  const message = asObject(record.message);
  if (record.type !== "user" || !message || !Array.isArray(message.content)) return record;
  const { toolUseResult: _, ...rest } = record;
  const content = asArray(message.content).map((block) =>
    isObject(block) && block.type === "tool_result"
      ? { ...block, content: heldContent(block.content, texts) }
      : block,
  );
  return { ...rest, message: { ...message, content } };
}

const heldContent = (content: unknown, texts: HeldTexts): unknown => {
  if (typeof content === "string") return texts.hold(content);
  return asArray(content).map((part) =>
    isObject(part) && typeof part.text === "string" ? { ...part, text: texts.hold(part.text) } : part,
  );
};

const toPreviewed = (message: ContextMessage): PreviewedMessage => ({
  ...message,
  key:
    message.role === "tool"
      ? `result ${message.toolCallId}`
      : `${message.role} ${message.origin?.start ?? "made up"} ${message.madeUp ? message.text : ""}`,
});
