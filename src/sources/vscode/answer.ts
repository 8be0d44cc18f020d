/** The answer of one turn as events: its parts in their order, tool calls joined with their results. */
import type { Event, ToolCallEvent, ToolResultEvent } from "../../model/session.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../jsonl.ts";
import { editsOf } from "./edits.ts";
import type { Path } from "./json-outline.ts";
import { isSilent, noticeOf } from "./notices.ts";
import { markdown } from "./text.ts";
import type { Turn } from "./told.ts";
import {
  labelOf,
  type ModelCall,
  modelCallId,
  modelCalls,
  outcomeOf,
  pairCalls,
  shownInput,
  statusOfText,
} from "./tools.ts";
import { referenceText } from "./uri.ts";

export interface AnswerOptions {
  readonly textLimit: number;
  readonly model?: string;
  readonly time?: string;
  /** Told of a kind of part that is not known. */
  unknown(kind: string, at: Path): void;
}

/** Parts of an answer are a list; very old files have one text. */
export const partsOf = (turn: JsonObject): readonly unknown[] =>
  typeof turn.response === "string" ? [turn.response] : asArray(turn.response);

export function toAnswer(turn: Turn, value: JsonObject, options: AnswerOptions): Event[] {
  const events: Event[] = [];
  const parts = partsOf(value);
  const base = { ...(options.time !== undefined && { time: options.time }) };
  const metadata = asObject(asObject(value.result)?.metadata) ?? {};
  const calls = modelCalls(metadata);
  const { of: callOf, hidden } = pairCalls(parts.filter(isObject).filter(isToolPart), calls);
  // Links stand between pieces of one sentence, so a run of texts and links is one event.
  let run: { text: string; at: Path } | undefined;
  let fenced = false;

  const flush = (): void => {
    if (run && run.text.trim() !== "") {
      const model = options.model === undefined ? {} : { model: options.model };
      events.push({ kind: "text", text: run.text, origin: turn.originOf(run.at), ...model, ...base });
    }
    run = undefined;
  };
  const say = (text: string, at: Path): void => {
    if (run) run.text += text;
    else run = { text, at };
  };
  const put = (event: Event): void => {
    flush();
    events.push(event);
  };
  const think = (text: string, at: Path): void => {
    if (text !== "") put({ kind: "thinking", text, origin: turn.originOf(at), ...base });
  };
  const callTool = (call: Omit<ToolCallEvent, "kind">): void => put({ kind: "tool-call", ...call });
  const settle = (result: Omit<ToolResultEvent, "kind">): void => {
    const text = result.text.slice(0, options.textLimit);
    const cut = result.text.length - text.length;
    events.push({ kind: "tool-result", ...result, text, ...(cut > 0 && { cut }) });
  };

  const showTool = (part: JsonObject, at: Path): void => {
    const call = callOf.get(part);
    const id = asString(part.toolCallId) ?? call?.id ?? at.join(".");
    const owner = asString(part.subAgentInvocationId);
    const common = {
      callId: id,
      origin: turn.originOf(at),
      ...base,
      ...(owner !== undefined && owner !== id && { agent: owner }),
    };
    const label = labelOf(part);
    callTool({
      ...common,
      name: call?.name || asString(part.toolId) || "tool",
      input: call?.input ?? shownInput(part),
      ...(label !== undefined && { label }),
    });
    settle({ ...common, ...outcomeOf(part, call) });
  };

  const showHidden = (call: ModelCall): void => {
    const common = { callId: modelCallId(call.id), origin: turn.originOf(call.at), ...base };
    callTool({ ...common, name: call.name || "tool", input: call.input });
    if (call.result !== undefined)
      settle({ ...common, status: statusOfText(call.result), text: call.result });
  };

  const showPart = (part: unknown, next: unknown, at: Path): void => {
    const text = asString(part) ?? (isObject(part) && part.kind === undefined ? markdown(part) : undefined);
    if (text !== undefined) {
      // The edit tool writes a code block around each edit, with nothing in it.
      const isFence = /^\s*`{3,}\w*\s*$/.test(text);
      if (isFence && (fenced || (isObject(next) && next.kind === "codeblockUri"))) fenced = !fenced;
      else say(text, at);
      return;
    }
    if (!isObject(part)) return; // VS Code stumbles over these; `demands` reports them
    const kind = asString(part.kind) ?? "treeData";
    const edits = editsOf(part);
    const notice = noticeOf(part.kind === undefined ? { kind, treeData: part } : part);
    if (kind === "markdownContent" || kind === "markdownVuln") say(markdown(part.content) ?? "", at);
    else if (kind === "inlineReference") say(referenceText(part), at);
    else if (kind === "thinking") think(thinkingText(part.value), at);
    else if (isToolPart(part)) showTool(part, at);
    else if (edits) {
      for (const edit of edits) put({ kind: "edit", ...edit, origin: turn.originOf(at), ...base });
    } else if (notice) {
      if (notice.text !== "") put({ kind: "notice", ...notice, origin: turn.originOf(at), ...base });
    } else if (!isSilent(kind)) options.unknown(kind, at);
  };

  const rounds = asArray(metadata.toolCallRounds).filter(isObject);
  if (!parts.some((part) => isObject(part) && part.kind === "thinking")) {
    for (const [i, round] of rounds.entries()) {
      const thought = asObject(round.thinking);
      think(thinkingText(thought?.text), ["result", "metadata", "toolCallRounds", i, "thinking"]);
    }
  }
  const isText = typeof value.response === "string";
  for (const [i, part] of parts.entries())
    showPart(part, parts[i + 1], isText ? ["response"] : ["response", i]);
  flush();
  for (const call of hidden) showHidden(call);
  return events;
}

const isToolPart = (part: JsonObject): boolean => part.kind === "toolInvocationSerialized";

const thinkingText = (value: unknown): string =>
  Array.isArray(value) ? value.map((piece) => asString(piece) ?? "").join("") : (asString(value) ?? "");
