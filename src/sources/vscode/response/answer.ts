/** The answer of one turn as events: its parts in their order, tool calls joined with their results. */

import type { Event } from "../../../model/session/session.ts";
import { printed } from "../../../model/text/printed.ts";
import { append } from "../../../model/values/lists.ts";
import { memberOf } from "../../../model/values/member.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import type { Path } from "../format/json-outline.ts";
import type { Turn } from "../format/parsed-session.ts";
import { markdown } from "../format/text.ts";
import { referenceText } from "../format/uri.ts";
import { editsOf } from "./edits.ts";
import { imagesOfCall, imagesOfResult } from "./images.ts";
import { type LateCalls, rememberLate } from "./late-calls.ts";
import { isSilent, noticeOf } from "./notices.ts";
import { pairCalls } from "./pair-calls.ts";
import { editsInPart } from "./recorded-edits.ts";
import { type Base, hiddenCallEvents, shownCallEvents } from "./tool-events.ts";
import { isToolPart, type ModelCall, modelCalls } from "./tools.ts";

export interface AnswerOptions {
  readonly textLimit: number;
  readonly model?: string;
  readonly time?: string;
  /** Parts that show calls of the turn before. */
  readonly settled: ReadonlySet<unknown>;
  readonly late: LateCalls;
  /** Give how files were changed. */
  readonly withEdits: boolean;
  /** Called for an unknown kind of part. */
  unknown(kind: string, at: Path): void;
}

/** Parts of an answer are a list; very old files have one text. */
export const partsOf = (turn: JsonObject): readonly unknown[] =>
  typeof turn.response === "string" ? [turn.response] : asArray(turn.response);

export function toAnswer(turn: Turn, value: JsonObject, options: AnswerOptions): Event[] {
  const { textLimit, model } = options;
  const parts = partsOf(value);
  const metadata = asObject(asObject(value.result)?.metadata) ?? {};
  const shown = parts.filter(isObject).filter((part) => isToolPart(part) && !options.settled.has(part));
  const calls = pairCalls(shown, modelCalls(metadata));
  rememberLate(options.late, calls, metadata);
  const base = (at: Path): Base => ({
    origin: turn.originOf(at),
    ...(options.time !== undefined && { time: options.time }),
  });

  /** What the extension keeps of a call's result. */
  const results = asObject(metadata.toolCallResults) ?? {};
  const keptOf = (call?: ModelCall) => asObject(call && memberOf(results, call.id));
  const keptAt = (call?: ModelCall) => ["result", "metadata", "toolCallResults", call?.id ?? ""];

  /** The events of a part that is not a piece of text. */
  const partEvents = (part: JsonObject, at: Path): Event[] => {
    if (isToolPart(part)) {
      const call = calls.of.get(part);
      const images = imagesOfCall(part, keptOf(call), turn.originOf, { part: at, kept: keptAt(call) });
      return shownCallEvents(part, call, at, base(at), textLimit, images);
    }
    if (part.kind === "thinking") return thoughtEvents(part.value, base(at));
    const edits = editsOf(part);
    if (edits)
      return edits.map((edit) => ({
        kind: "edit",
        ...edit,
        ...base(at),
        ...(options.withEdits && { edits: editsInPart(part, edit.path) }),
      }));
    // What has no kind and is no markdown is a tree of files.
    const notice = noticeOf(part.kind === undefined ? { kind: "treeData", treeData: part } : part);
    if (notice) return notice.text === "" ? [] : [{ kind: "notice", ...notice, ...base(at) }];
    const kind = printed(part.kind);
    if (!isSilent(kind)) options.unknown(kind, at);
    return [];
  };

  const events: Event[] = [];
  if (!parts.some((part) => isObject(part) && part.kind === "thinking")) {
    for (const [i, round] of asArray(metadata.toolCallRounds).entries()) {
      const thought = isObject(round) ? asObject(round.thinking) : undefined;
      const at = ["result", "metadata", "toolCallRounds", i, "thinking"];
      if (thought) events.push(...thoughtEvents(thought.text, base(at)));
    }
  }
  // Links stand between pieces of one sentence, so a run of texts and links is one event.
  let run: { text: string; at: Path } | undefined;
  const endRun = (): void => {
    if (run && run.text.trim() !== "") {
      events.push({ kind: "text", text: run.text, ...base(run.at), ...(model !== undefined && { model }) });
    }
    run = undefined;
  };
  const fences = editFences(parts);
  for (const [i, part] of parts.entries()) {
    const at = typeof value.response === "string" ? ["response"] : ["response", i];
    const text = textOf(part);
    if (text !== undefined) {
      if (fences.has(i)) continue;
      run ??= { text: "", at };
      run.text += text;
    } else if (options.settled.has(part)) endRun();
    else if (isObject(part)) {
      const found = partEvents(part, at);
      if (found.length > 0) endRun();
      append(events, found);
    } // VS Code stumbles over anything else; `demands` reports it
  }
  endRun();
  for (const call of calls.hidden) {
    const images = imagesOfResult(keptOf(call), turn.originOf, keptAt(call));
    append(events, hiddenCallEvents(call, base(call.at), textLimit, images));
  }
  return events;
}

/** The text of a part that is a piece of one: markdown in its three forms, or a link. */
export function textOf(part: unknown): string | undefined {
  if (!isObject(part)) return asString(part);
  if (part.kind === undefined) return markdown(part);
  if (part.kind === "inlineReference") return referenceText(part);
  return part.kind === "markdownContent" || part.kind === "markdownVuln" ? markdown(part.content) : undefined;
}

/** The edit tool writes a code block around each edit, with nothing in it; these are the places of its fences. */
function editFences(parts: readonly unknown[]): Set<number> {
  const fences = new Set<number>();
  let isOpen = false;
  for (const [i, part] of parts.entries()) {
    const next = parts[i + 1];
    const opens = isObject(next) && next.kind === "codeblockUri";
    if (!/^\s*`{3,}\w*\s*$/.test(textOf(part) ?? "") || !(isOpen || opens)) continue;
    fences.add(i);
    isOpen = !isOpen;
  }
  return fences;
}

function thoughtEvents(value: unknown, base: Base): Event[] {
  const text = Array.isArray(value)
    ? value.map((piece) => asString(piece) ?? "").join("")
    : (asString(value) ?? "");
  return text === "" ? [] : [{ kind: "thinking", text, ...base }];
}
