/** What each row of the chain sends to the model, before Claude Code repairs and merges it. */

import type { Origin } from "../../../model/session/session.ts";
import { printed } from "../../../model/text/printed.ts";
import { asObject, asString, type JsonObject } from "../../log/jsonl.ts";
import { asNotice, type Said, saidIn } from "../attachments.ts";
import {
  type Block,
  blocksOf,
  isApiError,
  isCaveat,
  isCommand,
  isEcho,
  isVirtual,
  modelOf,
} from "../records.ts";
import type { LoadedRow } from "../tree/row-reader.ts";
import type { RowKind } from "../tree/rows.ts";

export interface UserEntry {
  readonly kind: "user";
  readonly blocks: readonly Block[];
  readonly madeUp: boolean;
  readonly part: Part;
  readonly origin?: Origin;
}
/**
 * What it is to a turn. A `caveat` opens the record of a `command` that was run in the prompt and expects no answer; what
 * was only `printed` is part of no turn. A `summary` stands for turns before it. Everything else is `spoken`, tool results
 * among it.
 */
type Part = "spoken" | "caveat" | "command" | "printed" | "summary";

export interface AssistantEntry {
  readonly kind: "assistant";
  readonly blocks: readonly Block[];
  readonly replyId?: string;
  readonly model?: string;
  /** A failed request: never sent, but it ends a turn. */
  readonly isError: boolean;
  readonly origin?: Origin;
}
export interface ReminderEntry {
  readonly kind: "reminder";
  readonly said: Said;
  /** Who says it, where the model knows system messages inside a conversation. */
  readonly voice: "user" | "system";
  readonly origin?: Origin;
}
export type Entry = UserEntry | AssistantEntry | ReminderEntry;

export function toEntry({ record, origin }: Pick<LoadedRow, "record" | "origin">): Entry | undefined {
  if (isVirtual(record)) return undefined;
  switch (record.type as RowKind) {
    case "user":
      return toUser(record, origin);
    case "assistant": {
      const message = asObject(record.message) ?? {};
      const model = modelOf(message);
      const replyId = asString(message.id);
      return {
        kind: "assistant",
        blocks: blocksOf(message),
        isError: isApiError(record),
        origin,
        ...(replyId !== undefined && { replyId }),
        ...(model !== undefined && { model }),
      };
    }
    case "attachment":
      return toReminder(record, origin);
    case "system": {
      // The one kind of system row that is sent: what a command printed.
      const said = record.subtype === "local_command" ? asString(record.content) : undefined;
      if (said === undefined || record.isDisplayOnly === true) return undefined;
      const blocks = [{ type: "text", text: said }];
      return { kind: "user", blocks, madeUp: true, part: "printed", origin };
    }
    case "progress":
      return undefined;
  }
}

function toUser(record: JsonObject, origin: Origin): UserEntry | undefined {
  const said = blocksOf(asObject(record.message) ?? {});
  if (said.length === 0) return undefined;
  const first = said[0];
  const words = first?.type === "text" ? printed(first.text) : "";
  const isNotice = asObject(record.origin)?.kind === "task-notification";
  return {
    kind: "user",
    blocks: isNotice ? asNotice(said) : said,
    madeUp: isEcho(words) || isNotice || record.isMeta === true || record.isCompactSummary === true,
    part: record.isCompactSummary === true ? "summary" : partOf(words),
    origin,
  };
}

const partOf = (words: string): Part =>
  isCaveat(words) ? "caveat" : isCommand(words) ? "command" : "spoken";

function toReminder(record: JsonObject, origin: Origin): ReminderEntry | undefined {
  const said = saidIn(record);
  if (said.length === 0) return undefined;
  // Pictures cannot be in a system message.
  const isText = said.every((blocks) => blocks.every(({ type }) => type === "text"));
  const voice = record.renderedRole === "user" || !isText ? "user" : "system";
  return { kind: "reminder", said, voice, origin };
}
