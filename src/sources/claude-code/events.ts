/** Converts a row of the conversation to events: prompts, answers, thinking, tool calls and their results. */

import { type ImageRef, toImageId } from "../../model/session/image-ref.ts";
import type { Attachment, Event, Origin, PromptEvent, ToolResultEvent } from "../../model/session/session.ts";
import { asksSomething } from "../../model/session/turns.ts";
import { toUsage } from "../../model/session/usage.ts";
import { callKey } from "../../model/session/work-key.ts";
import { printed } from "../../model/text/printed.ts";
import { isTimely, toIso } from "../../model/values/time.ts";
import { workIn } from "../handed-work.ts";
import { asArray, asNumber, asObject, asString, isObject, type JsonObject } from "../log/jsonl.ts";
import { mayBeCut } from "../log/limited-result.ts";
import {
  type Block,
  blocksOf,
  isApiError,
  isEcho,
  isInterruption,
  isVirtual,
  modelOf,
  resultText,
} from "./records.ts";
import { recordedEdits } from "./tool-edits.ts";
import type { Neighbours } from "./tree/neighbours.ts";
import type { LoadedRow } from "./tree/row-reader.ts";
import type { RowKind } from "./tree/rows.ts";

/** `withEdits` gives what calls did to files. */
export function toEvents(loaded: LoadedRow, around: Neighbours, withEdits = false): Event[] {
  const { record, cut } = loaded;
  if (isVirtual(record)) return [];
  const found = eventsOf(loaded, around);
  const events = withEdits ? found.map((event) => withRecorded(event, record)) : found;
  // What a huge line lost is missing from its longest text, and a row rarely has more than one.
  const long = cut > 0 ? events.findIndex((event) => "text" in event && !lostPictures(event)) : -1;
  return long < 0 ? events : events.map((event, at) => (at === long ? { ...event, cut } : event));
}

/** Then they are what the line lost. */
const lostPictures = (event: Event): boolean =>
  (event.kind === "prompt" &&
    (event.attachments ?? []).some(({ image }) => image) &&
    !mayBeCut(event.text)) ||
  (event.kind === "tool-result" && event.images !== undefined && !mayBeCut(event.text));

function eventsOf(loaded: LoadedRow, around: Neighbours): Event[] {
  const { record } = loaded;
  const base = baseOf(loaded);
  switch (record.type as RowKind) {
    case "user":
      return userEvents(base, record, around.attachments);
    case "assistant":
      return assistantEvents(base, record, around.endsReply);
    case "system":
      return noticeOf(base, record);
    case "attachment":
      return queuedPrompt(base, record);
    case "progress":
      return [];
  }
}

/** What stands beside the results of a row belongs to the one that it has: only rows without such have several. */
const withRecorded = (event: Event, record: JsonObject): Event =>
  event.kind === "tool-result" && event.status === "ok" ? { ...event, edits: recordedEdits(record) } : event;

interface Base {
  readonly origin: Origin;
  readonly id: string;
  readonly time?: string;
}

function baseOf({ record, origin, time }: LoadedRow): Base {
  const id = asString(record.uuid) ?? "";
  const iso = isoOf(record.timestamp, time);
  return iso === undefined ? { origin, id } : { origin, id, time: iso };
}

/** Rows already have ISO times, and formatting them again for every event is slow. */
const isoOf = (written: unknown, time: number | undefined): string | undefined =>
  typeof written === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(written) && isTimely(written)
    ? written
    : toIso(time);

const inside = (base: Base, ...at: (string | number)[]): Base => ({
  ...base,
  origin: { ...base.origin, at },
});

function userEvents(base: Base, record: JsonObject, attachments: readonly Attachment[]): Event[] {
  const blocks = blocksOf(asObject(record.message) ?? {});
  const results: Event[] = [];
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index] as Block;
    if (block.type === "tool_result")
      results.push(resultOf(inside(base, "message", "content", index), block, record));
  }
  if (results.length > 0) {
    const edit = editOf(base, record);
    return edit ? [...results, edit] : results;
  }
  const text = textOf(blocks);
  if (record.isCompactSummary === true)
    return [{ ...base, kind: "compaction", summary: text, ...titleOf(text) }];
  if (isInterruption(text)) return [{ ...base, kind: "notice", level: "warning", text: text.trim() }];
  if (!isTyped(record, text)) return [];
  const files = filesIn(blocks, inside(base, "message", "content"));
  return promptOf({ ...base, ...workIn(record) }, text, [...files, ...attachments]);
}

/** Only the summaries that rethread writes have one. */
function titleOf(summary: string): { readonly title?: string } {
  const title = /^Summary:\n# (.+)$/m.exec(summary)?.[1]?.trim();
  return title === undefined ? {} : { title };
}

/** Nothing for a row that asks for nothing. */
const promptOf = (
  base: Base & Pick<PromptEvent, "work">,
  text: string,
  attachments: readonly Attachment[],
): Event[] =>
  asksSomething({ text, attachments })
    ? [{ ...base, kind: "prompt", text, ...(attachments.length > 0 && { attachments }) }]
    : [];

const textOf = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.type === "text" ? [asString(block.text) ?? ""] : [])).join("\n");

/** Rows in the user's name that no user typed: reminders, command echoes, news of background tasks. */
function isTyped(record: JsonObject, text: string): boolean {
  const speaker = asString(asObject(record.origin)?.kind);
  return record.isMeta !== true && !isEcho(text) && (speaker === undefined || speaker === "human");
}

/** What stands between the words of a prompt; `list` is where its blocks are. */
const filesIn = (blocks: readonly Block[], { origin: list }: Base): Attachment[] =>
  blocks.flatMap((block, index) =>
    block.type === "image" || block.type === "document"
      ? [
          {
            kind: block.type,
            name: mediaType(block) ?? block.type,
            ...(block.type === "image" && { image: toImage(block, list, index) }),
          },
        ]
      : [],
  );

const mediaType = (block: JsonObject): string | undefined => asString(asObject(block.source)?.media_type);

/** A block may also name an address or an uploaded file, whose bytes are not here. */
function toImage(block: JsonObject, list: Origin, index: number): ImageRef {
  const type = mediaType(block);
  const isHere = asObject(block.source)?.type === "base64";
  return {
    ...(isHere && { id: toImageId({ ...list, at: [...(list.at ?? []), index] }) }),
    ...(type !== undefined && { type }),
  };
}

function imagesIn({ content }: Block, { origin }: Base): readonly ImageRef[] {
  if (!Array.isArray(content)) return NO_IMAGES;
  const list = { ...origin, at: [...(origin.at ?? []), "content"] };
  return content.flatMap((part, index) =>
    isObject(part) && part.type === "image" ? [toImage(part, list, index)] : [],
  );
}
const NO_IMAGES: readonly ImageRef[] = [];

function resultOf(base: Base, block: Block, record: JsonObject): ToolResultEvent {
  const text = resultText(block);
  const noted = asObject(record.toolUseResult);
  const durationMs = asNumber(noted?.durationMs) ?? asNumber(noted?.totalDurationMs);
  const stopped =
    noted?.interrupted === true ||
    /^(\[Request interrupted by user|\[Tool call interrupted|The user doesn't want to)/.test(text);
  const images = imagesIn(block, base);
  const callId = asString(block.tool_use_id) ?? "";
  const status = stopped ? "interrupted" : block.is_error === true ? "failed" : "ok";
  const result = { ...base, kind: "tool-result", callId, status, text } as const;
  if (durationMs === undefined && images.length === 0) return result;
  return { ...result, ...(durationMs !== undefined && { durationMs }), ...(images.length > 0 && { images }) };
}

/** The change to a file that Claude Code records beside the result of Edit and Write. */
function editOf(base: Base, record: JsonObject): Event | undefined {
  const result = asObject(record.toolUseResult);
  const path = asString(result?.filePath);
  if (!result || path === undefined || !Array.isArray(result.structuredPatch)) return undefined;
  const lines = asArray(result.structuredPatch).flatMap((hunk) =>
    isObject(hunk) ? asArray(hunk.lines).filter((line) => typeof line === "string") : [],
  );
  const created = result.type === "create" ? (asString(result.content) ?? "") : "";
  const added = lines.filter((line) => line.startsWith("+")).length + lineCount(created);
  const removed = lines.filter((line) => line.startsWith("-")).length;
  return { ...inside(base, "toolUseResult"), kind: "edit", path, added, removed };
}

const lineCount = (text: string): number => (text === "" ? 0 : text.replace(/\n$/, "").split("\n").length);

function assistantEvents(base: Base, record: JsonObject, endsReply: boolean): Event[] {
  const message = asObject(record.message) ?? {};
  const blocks = blocksOf(message);
  if (isApiError(record)) return [{ ...base, kind: "notice", level: "error", text: textOf(blocks) }];
  const model = modelOf(message);
  const events: Event[] = [];
  for (let index = 0; index < blocks.length; index++) {
    const event = blockEvent(inside(base, "message", "content", index), blocks[index] as Block, model);
    if (event) events.push(event);
  }
  const usage = asObject(message.usage);
  if (usage && endsReply) events.push(usageOf(base, usage, record, message));
  return events;
}

function blockEvent(base: Base, block: Block, model: string | undefined): Event | undefined {
  if (block.type === "text" && asString(block.text)?.trim())
    return { ...base, kind: "text", text: printed(block.text), ...(model !== undefined && { model }) };
  if (block.type === "thinking" && asString(block.thinking))
    return { ...base, kind: "thinking", text: printed(block.thinking) };
  if (block.type !== "tool_use") return undefined;
  const label = asString(asObject(block.input)?.description);
  const callId = asString(block.id) ?? "";
  const name = asString(block.name) ?? "";
  const call = { ...base, kind: "tool-call", callId, name, input: block.input } as const;
  return label === undefined ? call : { ...call, label };
}

function usageOf(base: Base, usage: JsonObject, record: JsonObject, message: JsonObject): Event {
  const [id, request] = [asString(message.id), asString(record.requestId)];
  const counted = toUsage({
    model: modelOf(message),
    input: asNumber(usage.input_tokens),
    output: asNumber(usage.output_tokens),
    cached: asNumber(usage.cache_read_input_tokens),
    cacheWritten: asNumber(usage.cache_creation_input_tokens),
    finish: asString(message.stop_reason),
    call: id && request ? callKey("claude-code", id, request) : undefined,
  });
  return { ...inside(base, "message", "usage"), kind: "usage", ...counted };
}

/** Warnings and errors of the program; its bookkeeping (durations, boundaries, command output) is not shown. */
function noticeOf(base: Base, record: JsonObject): Event[] {
  const { level } = record;
  const text = asString(record.content);
  if (!text || (level !== "warning" && level !== "error")) return [];
  return [{ ...base, kind: "notice", level, text }];
}

/** A prompt typed while the agent was at work reaches it as an attachment. */
function queuedPrompt(base: Base, record: JsonObject): Event[] {
  const attachment = asObject(record.attachment) ?? {};
  if (attachment.type !== "queued_command" || attachment.commandMode !== "prompt") return [];
  const blocks = blocksOf({ content: attachment.prompt });
  const text = textOf(blocks);
  if (!isTyped(attachment, text)) return [];
  const place = inside(base, "attachment", "prompt");
  return promptOf(place, text, filesIn(blocks, place));
}
