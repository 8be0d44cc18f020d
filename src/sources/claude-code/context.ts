/** The messages Claude Code sends when the session is resumed with the model that answered last. */
import type { ContextMessage } from "../../model/session/context.ts";
import type { Artifact } from "../../model/session/session.ts";
import { printed } from "../../model/text/printed.ts";
import { memberOf } from "../../model/values/member.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { createHeldSize } from "../log/held-size.ts";
import { asObject, asString, type JsonObject } from "../log/jsonl.ts";
import { modelOf, resultText } from "./records.ts";
import { type Entry, toEntry } from "./request/entries.ts";
import { toMessages } from "./request/messages.ts";
import { repair } from "./request/repair.ts";
import type { Message, Piece } from "./request/wire.ts";
import { chainForModel } from "./tree/chain.ts";
import { firstPass } from "./tree/first-pass.ts";
import { type LoadedRow, openRows } from "./tree/row-reader.ts";

export async function context(fs: SessionFs, artifact: Artifact): Promise<ContextMessage[]> {
  // Damage is for `read` to report; here only what the program itself would make of it counts.
  const reader = openRows(fs, artifact.path, { maxLine: WHOLE });
  const facts = await firstPass(fs, artifact.path, () => undefined, { maxLine: WHOLE, keep: reader.keep });
  const rows: LoadedRow[] = [];
  const hold = createHeldSize(artifact.id);
  for (const row of chainForModel(facts).rows) {
    if (facts.rows.isMute(row)) continue;
    const loaded = reader.find(facts.rows, row) ?? (await reader.load(facts.rows, row));
    if (!loaded) continue;
    hold(facts.rows.end(row) - facts.rows.start(row) - loaded.cut);
    rows.push(loaded);
  }
  await reader.close();
  return messagesOf(rows);
}

/** What is sent of the rows of a conversation. */
export function messagesOf(rows: readonly Pick<LoadedRow, "record" | "origin">[]): ContextMessage[] {
  const entries: Entry[] = [];
  let model: string | undefined;
  for (const row of rows) {
    model = modelNamedIn(row.record) ?? model;
    const entry = toEntry(row);
    if (entry) entries.push(entry);
  }
  return toMessages(repair(entries, model), model).flatMap(toContext);
}

/** The model gets long texts whole, so lines are not shortened here. */
const WHOLE = Number.POSITIVE_INFINITY;

/** `--resume` uses the model of the last answer, or the announced one if there is no answer yet. */
function modelNamedIn(record: JsonObject): string | undefined {
  if (record.type === "assistant") return modelOf(asObject(record.message) ?? {});
  return asString(asObject(asObject(record.attachment)?.identity)?.modelId);
}

function toContext(message: Message): ContextMessage[] {
  if (message.role === "assistant") return [toAnswer(message.pieces)];
  return message.pieces.map(message.role === "system" ? toReminder : toWords);
}

/** Newer models get reminders as system messages; older ones get them wrapped in tags. */
const toReminder = ({ block, origin }: Piece): ContextMessage => ({
  role: "user",
  text: `<system-reminder>\n${printed(block.text)}\n</system-reminder>`,
  madeUp: true,
  ...(origin && { origin }),
});

function toAnswer(pieces: readonly Piece[]): ContextMessage {
  const textOf = (type: string, key: string): string[] =>
    pieces.flatMap(({ block }) => (block.type === type ? [printed(memberOf(block, key) ?? "")] : []));
  const thinking = textOf("thinking", "thinking").join("\n");
  const toolCalls = pieces.flatMap(({ block }) =>
    block.type === "tool_use"
      ? [{ id: printed(block.id), name: printed(block.name), arguments: block.input }]
      : [],
  );
  const origin = pieces[0]?.origin;
  return {
    role: "assistant",
    text: textOf("text", "text").join("\n"),
    ...(thinking !== "" && { thinking }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(origin === undefined ? { madeUp: true } : { origin }),
  };
}

function toWords({ block, madeUp, origin, bare }: Piece): ContextMessage {
  const rest = { ...(madeUp && { madeUp }), ...(origin && { origin }) };
  if (block.type !== "tool_result")
    return { role: "user", text: asString(block.text) ?? `[${block.type}]`, ...rest };
  const text = resultText(block);
  return {
    role: "tool",
    text,
    toolCallId: printed(block.tool_use_id),
    ...(bare !== undefined && bare < text.length && { appended: text.length - bare }),
    ...(block.is_error === true && { isError: true }),
    ...rest,
  };
}
