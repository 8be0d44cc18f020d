/** The facts of a chained record that are kept during the first pass. */

import type { Attachment } from "../../../model/session/session.ts";
import { printed } from "../../../model/text/printed.ts";
import { memberOf } from "../../../model/values/member.ts";
import { parseTime } from "../../../model/values/time.ts";
import type { Line } from "../../../platform/fs/lines.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import { isTold } from "../attachments.ts";

export type RowKind = "user" | "assistant" | "system" | "attachment" | "progress";

/** A chained row without its content. `row-table.ts` holds all of a transcript; as objects they would not fit. */
export interface Row {
  readonly uuid: string;
  readonly parent: string | undefined;
  /** It says that nothing comes before it, which is not the same as not saying what does. */
  readonly isRoot: boolean;
  readonly kind: RowKind;
  readonly sidechain: boolean;
  /** It says nothing, to people or to the model: the copies of system prompts, most of a transcript's bytes. */
  readonly isMute: boolean;
  /** Words of the program in the user's name. */
  readonly isMeta: boolean;
  /** Milliseconds. */
  readonly time: number | undefined;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** Rows of one reply share it. */
  readonly messageId: string | undefined;
  /** Ids of the tool calls in it, and of the calls it answers. */
  readonly calls: readonly string[];
  readonly answers: readonly string[];
  readonly details: RowDetails | undefined;
}

/** What only few rows have. */
export interface RowDetails {
  /** On a compaction boundary: the last row before it, which the chain no longer names. */
  readonly logicalParent?: string;
  readonly boundary?: Boundary;
  /** On the result of a call that started a sub-agent. */
  readonly agentId?: string;
  /** On an attachment row: what the user sent along with the prompt before it. */
  readonly attached?: Attachment;
  /** The summary that a compaction wrote. */
  readonly isSummary?: boolean;
}

/** A compaction: everything before it is replaced by a summary, apart from the rows it preserves. */
export interface Boundary {
  readonly anchor?: string;
  readonly preserved: readonly string[];
  /** Older releases name the first and the last row that they preserve. */
  readonly segment?: { readonly head: string; readonly tail: string };
  /** It says what it preserves, if only nothing: then the program forgets all other rows before it. */
  readonly forgets?: boolean;
}

const NONE: readonly string[] = [];

/** The facts of a chained record, in the log of a sub-agent or not, or why Claude Code cannot use it. */
export function toRow(
  record: JsonObject,
  { number, start, end }: Pick<Line, "number" | "start" | "end">,
  isAgents: boolean,
): Row | { readonly lacks: string } {
  const uuid = asString(record.uuid);
  if (uuid === undefined) return { lacks: "uuid" };
  const kind = record.type as RowKind;
  const message = asObject(record.message);
  if ((kind === "user" || kind === "assistant") && !hasContent(message)) return { lacks: "message.content" };
  if (kind === "attachment" && !isObject(record.attachment)) return { lacks: "attachment" };
  const blocks = asArray(message?.content);
  const time = parseTime(asString(record.timestamp) ?? "");
  return {
    uuid,
    parent: asString(record.parentUuid),
    isRoot: record.parentUuid === null,
    kind,
    // The rows of a sub-agent's log are a side chain of the session, and the main line of their own log.
    sidechain: record.isSidechain === true && !isAgents,
    isMute: saysNothing(record),
    isMeta: record.isMeta === true,
    time: Number.isNaN(time) ? undefined : time,
    line: number,
    start,
    end,
    messageId: kind === "assistant" ? asString(message?.id) : undefined,
    calls: kind === "assistant" ? idsOf(blocks, "tool_use", "id") : NONE,
    answers: kind === "user" ? idsOf(blocks, "tool_result", "tool_use_id") : NONE,
    details: detailsOf(kind, record),
  };
}

function detailsOf(kind: RowKind, record: JsonObject): RowDetails | undefined {
  const logicalParent = asString(record.logicalParentUuid);
  const agentId = asString(asObject(record.toolUseResult)?.agentId);
  const attached = kind === "attachment" ? toAttachment(asObject(record.attachment) ?? {}) : undefined;
  const boundary = record.subtype === "compact_boundary" ? toBoundary(record) : undefined;
  const isSummary = record.isCompactSummary === true;
  if (logicalParent === undefined && agentId === undefined && !attached && !boundary && !isSummary)
    return undefined;
  return {
    ...(logicalParent !== undefined && { logicalParent }),
    ...(boundary && { boundary }),
    ...(agentId !== undefined && { agentId }),
    ...(attached && { attached }),
    ...(isSummary && { isSummary }),
  };
}

export const saysNothing = (record: JsonObject): boolean =>
  record.type === "progress" || (record.type === "attachment" && !isTold(record));

/** Files and folders named with @, and lines selected in an editor; everything else attached is the program's own. */
const SENT_ALONG = new Set<unknown>(["file", "directory", "compact_file_reference", "selected_lines_in_ide"]);

function toAttachment(attachment: JsonObject): Attachment | undefined {
  const path = asString(attachment.filename) ?? asString(attachment.path);
  if (!SENT_ALONG.has(attachment.type) || path === undefined) return undefined;
  return { kind: printed(attachment.type), name: asString(attachment.displayPath) ?? path, path };
}

const hasContent = (message: JsonObject | undefined): boolean =>
  typeof message?.content === "string" || Array.isArray(message?.content);

function toBoundary(record: JsonObject): Boundary {
  const metadata = asObject(record.compactMetadata);
  const kept = asObject(metadata?.preservedMessages);
  const segment = kept ? undefined : asObject(metadata?.preservedSegment);
  const anchor = asString((kept ?? segment)?.anchorUuid);
  const [head, tail] = [asString(segment?.headUuid), asString(segment?.tailUuid)];
  return {
    preserved: asArray(kept?.uuids).filter((uuid) => typeof uuid === "string"),
    ...(anchor !== undefined && { anchor }),
    ...(head !== undefined && tail !== undefined && { segment: { head, tail } }),
    ...((kept ?? segment) && { forgets: true }),
  };
}

export function idsOf(blocks: readonly unknown[], type: string, key: string): readonly string[] {
  let ids: string[] | undefined;
  for (const block of blocks) {
    const id = isObject(block) && block.type === type ? asString(memberOf(block, key)) : undefined;
    if (id !== undefined) ids = ids ? [...ids, id] : [id];
  }
  return ids ?? NONE;
}
