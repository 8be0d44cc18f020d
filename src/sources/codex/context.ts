/** The messages Codex CLI sends when the session is resumed with the model that answered last. */

import type { ContextLimit, ContextMessage, ContextToolCall } from "../../model/session/context.ts";
import type { Artifact } from "../../model/session/session.ts";
import { asksSomething } from "../../model/session/turns.ts";
import { printed } from "../../model/text/printed.ts";
import { eachLine, type Line } from "../../platform/fs/lines.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { createHeldSize } from "../log/held-size.ts";
import { asArray, asNumber, asObject, asString, type JsonObject, originOf } from "../log/jsonl.ts";
import type { ContextOptions } from "../source.ts";
import { createHistory, type HistoryItem } from "./context/history.ts";
import { toEvents, toInput } from "./log/items.ts";
import { isTyped } from "./log/prompts.ts";
import { judge, type LogRecord, type SessionMeta, textsOf, toMeta } from "./log/records.ts";
import { type Segment, segmentsOf } from "./segments.ts";

/** The model gets long texts whole, so lines are not shortened here. */
const WHOLE = Number.POSITIVE_INFINITY;

export async function context(
  fs: SessionFs,
  artifact: Artifact,
  { hold: keep = (text) => text }: ContextOptions = {},
): Promise<ContextMessage[]> {
  let hold = createHeldSize(artifact.id);
  const history = createHistory(() => {
    hold = createHeldSize(artifact.id);
  });
  let meta: SessionMeta | undefined;
  let turns = 0;
  const { list } = await segmentsOf(fs, artifact.root, artifact.path);
  for (const { path, end } of list as readonly Segment[]) {
    const isOwn = path === artifact.path;
    const visit = (line: Line): void => {
      // Damage is for `read` to report; here only what the program itself would make of it counts.
      const { record } = judge(line);
      if (!record) return;
      if (isOwn && record.type === "session_meta") meta ??= toMeta(record.payload);
      const origin = originOf(line, isOwn ? undefined : path);
      const isTold = (meta?.ownFrom ?? 0) > (record.ordinal ?? WHOLE);
      if (!isTold && beginsTurn(record, meta)) turns++;
      if (record.type === "response_item" || record.type === "compacted")
        hold(line.end - line.start - line.cut);
      history.record(record, origin, turns === 0 ? undefined : turns - 1);
    };
    await eachLine(fs, path, visit, { maxLine: WHOLE, ...(end !== undefined && { start: 0, end }) });
  }
  return toMessages(history.items(), keep);
}

/** As `read` counts them. */
function beginsTurn(record: LogRecord, meta: SessionMeta | undefined): boolean {
  const { type, payload } = record;
  const isAgent = meta?.startedBy !== undefined;
  if (type === "inter_agent_communication") return isAgent;
  if (type !== "response_item" || !(isTyped(payload) || payload.type === "agent_message")) return false;
  const events = toEvents(record, { line: 0, start: 0, end: 0 }, { model: undefined, isAgent });
  return events.some((event) => event.kind === "prompt" && asksSomething(event));
}

/** What belongs to one answer becomes one message: what was thought, what was said, and the calls. */
interface OpenAnswer {
  readonly first: HistoryItem;
  thinking?: string;
  text?: string;
  calls: ContextToolCall[];
}

function toMessages(items: readonly HistoryItem[], keep: (text: string) => string): ContextMessage[] {
  const messages: ContextMessage[] = [];
  let open: OpenAnswer | undefined;
  const close = (): void => {
    if (!open) return;
    const { first, thinking, text, calls } = open;
    open = undefined;
    if (thinking === undefined && text === undefined && calls.length === 0) return;
    messages.push({
      role: "assistant",
      text: keep(text ?? ""),
      ...(thinking !== undefined && { thinking: keep(thinking) }),
      ...(calls.length > 0 && { toolCalls: calls }),
      ...placeOf(first),
    });
  };
  const answer = (each: HistoryItem, startsAnew: boolean): OpenAnswer => {
    if (open && startsAnew && (open.text !== undefined || open.calls.length > 0)) close();
    open ??= { first: each, calls: [] };
    return open;
  };
  for (const each of items) {
    const { item } = each;
    const call = callOf(item, each);
    if (call) answer(each, false).calls.push(call);
    else if (item.type === "message" && item.role === "assistant")
      answer(each, true).text = textsOf(item.content).join("\n");
    else if (item.type === "reasoning") {
      // What was thought is sent encrypted; only its summary can be read.
      const text = [...textsOf(item.summary), ...textsOf(item.content)].join("\n\n");
      const to = answer(each, true);
      if (text !== "") to.thinking = to.thinking === undefined ? text : `${to.thinking}\n\n${text}`;
    } else {
      close();
      messages.push(told(each, keep));
    }
  }
  close();
  return messages;
}

const placeOf = ({ origin, turn }: HistoryItem) => ({
  ...(origin === undefined ? { madeUp: true } : { origin }),
  ...(turn !== undefined && { turn }),
});

function callOf(item: JsonObject, { origin }: HistoryItem): ContextToolCall | undefined {
  const id = asString(item.call_id) ?? asString(item.id) ?? `line ${origin?.line ?? 0}`;
  switch (item.type) {
    case "function_call":
      return { id, name: asString(item.name) ?? "", arguments: toInput(item.arguments) };
    case "custom_tool_call":
      return { id, name: asString(item.name) ?? "", arguments: item.input };
    case "local_shell_call":
      return { id, name: "local_shell", arguments: item.action };
    case "tool_search_call":
      return { id, name: "tool_search", arguments: item.arguments };
    case "web_search_call":
      return { id, name: "web_search", arguments: item.action };
    case "image_generation_call":
      return { id, name: "image_generation", arguments: { prompt: item.revised_prompt } };
    default:
      return undefined;
  }
}

function told(each: HistoryItem, keep: (text: string) => string): ContextMessage {
  const { item } = each;
  const place = placeOf(each);
  const toolCallId = asString(item.call_id);
  if (
    item.type === "tool_search_output" ||
    item.type === "function_call_output" ||
    item.type === "custom_tool_call_output"
  ) {
    const text = item.type === "tool_search_output" ? JSON.stringify(item.tools ?? []) : shown(item.output);
    return { role: "tool", text: keep(text), ...(toolCallId !== undefined && { toolCallId }), ...place };
  }
  const isPerson = isTyped(item) && !each.madeUp;
  const text =
    item.type === "message" || item.type === "agent_message"
      ? shown(item.content)
      : `[${printed(item.type)}]`;
  return { role: "user", text: isPerson ? text : keep(text), ...(!isPerson && { madeUp: true }), ...place };
}

/** Texts as they are; a picture, or what only the service can read, in a word. */
const shown = (content: unknown): string =>
  typeof content === "string"
    ? content
    : asArray(content)
        .map((part) => asString(asObject(part)?.text) ?? `[${placeholderOf(asObject(part)?.type)}]`)
        .join("\n");

const placeholderOf = (type: unknown): string => (type === "input_image" ? "image" : printed(type));

const WINDOW = Buffer.from('"model_context_window"');
const SETTINGS = Buffer.from('"type":"turn_context"');

/** As the program noted it when the last turn began. */
export async function limit(fs: SessionFs, artifact: Artifact): Promise<ContextLimit | undefined> {
  let tokens: number | undefined;
  let model: string | undefined;
  await eachLine(
    fs,
    artifact.path,
    (line) => {
      const { type, payload } = judge(line).record ?? {};
      if (type === "turn_context") model = asString(payload?.model) ?? model;
      else if (type === "event_msg")
        tokens =
          asNumber(payload?.model_context_window) ??
          asNumber(asObject(payload?.info)?.model_context_window) ??
          tokens;
    },
    {
      pass(bytes, start, end) {
        const line = bytes.subarray(start, end);
        return !line.includes(WINDOW) && !line.includes(SETTINGS);
      },
    },
  );
  return tokens === undefined ? undefined : { tokens, ...(model !== undefined && { model }) };
}
