/** The conversation as Codex CLI holds it after reading a log: compactions replace what was before, rollbacks drop turns. */

import type { Origin } from "../../../model/session/session.ts";
import { memberOf } from "../../../model/values/member.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import { isContextualToday, isSystemPrompt } from "../log/prompts.ts";
import { type LogRecord, textsOf, whyDropped } from "../log/records.ts";
import { OUTPUT_TOKENS, truncateMiddle, truncateOutput } from "./truncate.ts";

export interface HistoryItem {
  readonly item: JsonObject;
  /** Nothing for what the program makes up. */
  readonly origin?: Origin;
  readonly turn?: number;
  /** A summary, which stands in the user's name. */
  readonly madeUp?: true;
}

export interface History {
  /** `turn` is the last one that began until then. */
  record(record: LogRecord, origin: Origin, turn: number | undefined): void;
  items(): readonly HistoryItem[];
}

const OUTPUTS: readonly unknown[] = ["function_call_output", "custom_tool_call_output"];

/** `onReplaced` is called when what was held until then is held no longer. */
export function createHistory(onReplaced: () => void = () => undefined): History {
  let items: HistoryItem[] = [];
  return {
    record({ type, payload, metadata }, origin, turn) {
      const at = { origin, ...(turn !== undefined && { turn }) };
      if (type === "response_item" && isSent(payload))
        items.push({ item: shortened(payload, metadata), ...at });
      else if (type === "inter_agent_communication") items.push({ item: toMessage(payload), ...at });
      else if (type === "compacted") {
        items = compacted(items, payload, at);
        onReplaced();
      } else if (type === "event_msg" && payload.type === "thread_rolled_back")
        items = withoutTurns(items, asNumber(payload.num_turns) ?? 0);
    },
    items: () => withPairs(items),
  };
}

const isSent = (item: JsonObject): boolean =>
  whyDropped(item) === undefined && item.type !== "ghost_snapshot" && !isSystemPrompt(item);

function shortened(item: JsonObject, metadata: JsonObject): JsonObject {
  if (!OUTPUTS.includes(item.type)) return item;
  const tokens = asNumber(metadata.fallback_token_limit_override) ?? OUTPUT_TOKENS;
  return { ...item, output: truncateOutput(item.output, tokens) };
}

const toMessage = (payload: JsonObject): JsonObject => ({
  type: "agent_message",
  author: payload.author,
  recipient: payload.recipient,
  content: [{ type: "input_text", text: asString(payload.content) ?? "" }],
});

function compacted(
  items: readonly HistoryItem[],
  payload: JsonObject,
  at: Pick<HistoryItem, "origin" | "turn">,
): HistoryItem[] {
  if (!Array.isArray(payload.replacement_history)) return rebuilt(items, asString(payload.message) ?? "", at);
  const summary = asString(payload.message);
  return asArray(payload.replacement_history).flatMap((item): HistoryItem[] => {
    if (!isObject(item) || !isSent(item)) return [];
    const text = textsOf(item.content).join("\n");
    if (text !== "" && text === summary) return [{ item, ...at, madeUp: true }];
    // What stays is where it was said first.
    const said = items.find((each) => isSameMessage(each.item, item, text));
    return [said ? { ...said, item } : { item, ...at }];
  });
}

const isSameMessage = (a: JsonObject, b: JsonObject, text: string): boolean =>
  a.type === b.type &&
  a.role === b.role &&
  (typeof b.id === "string" ? a.id === b.id : text !== "" && textsOf(a.content).join("\n") === text);

/** What of a person's messages early releases kept beside a summary. */
const KEPT_TOKENS = 20_000;
const SUMMARY_OPENING = "Another language model started to solve this problem";

/** Early releases noted only the summary; before it stands what people typed, the last of it first to be kept. */
function rebuilt(
  items: readonly HistoryItem[],
  message: string,
  at: Pick<HistoryItem, "origin" | "turn">,
): HistoryItem[] {
  const kept: HistoryItem[] = [];
  let left = KEPT_TOKENS;
  for (const each of items.toReversed()) {
    const text = textsOf(each.item.content).join("\n");
    if (!isAsked(each.item) || text.startsWith(SUMMARY_OPENING)) continue;
    const tokens = Math.ceil(Buffer.byteLength(text) / 4);
    if (left === 0) break;
    kept.unshift({ ...each, item: userMessage(tokens <= left ? text : truncateMiddle(text, left)) });
    left = Math.max(0, left - tokens);
  }
  const summary = userMessage(message === "" ? "(no summary available)" : message);
  return [...kept, { item: summary, ...at, madeUp: true }];
}

const userMessage = (text: string): JsonObject => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text }],
});

/** Also what the program said just before the first of them. */
function withoutTurns(items: readonly HistoryItem[], turns: number): HistoryItem[] {
  const starts = items.flatMap(({ item }, index) => (beginsTurn(item) ? [index] : []));
  const [first] = starts;
  if (turns <= 0 || first === undefined) return [...items];
  let cut = starts.at(-turns) ?? first;
  while (cut > first && isContext(items[cut - 1]?.item ?? {})) cut--;
  return items.slice(0, cut);
}

const isAsked = (item: JsonObject): boolean =>
  item.type === "message" && item.role === "user" && !isContextualToday(item);

const beginsTurn = (item: JsonObject): boolean => isAsked(item) || item.type === "agent_message";

const isContext = (item: JsonObject): boolean =>
  item.type === "message" && (item.role === "developer" || (item.role === "user" && isContextualToday(item)));

/** Calls and the results that belong to them, by the same id. */
const PAIRS: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  local_shell_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
  tool_search_call: "tool_search_output",
};

/** A call without a result is told that it was aborted; a result without a call is left out. */
function withPairs(items: readonly HistoryItem[]): HistoryItem[] {
  const idsOf = (isWanted: (type: string) => string | undefined): Set<string> =>
    new Set(
      items.flatMap(({ item }) => {
        const kind = isWanted(asString(item.type) ?? "");
        return kind === undefined ? [] : [`${kind} ${asString(item.call_id)}`];
      }),
    );
  const outputs = idsOf((type) => (Object.values(PAIRS).includes(type) ? type : undefined));
  const calls = idsOf((type) => memberOf(PAIRS, type));
  return items.flatMap((each) => {
    const { call_id } = each.item;
    const type = asString(each.item.type) ?? "";
    const output = memberOf(PAIRS, type);
    if (output !== undefined && typeof call_id === "string" && !outputs.has(`${output} ${call_id}`))
      return [each, { item: aborted(output, call_id), ...(each.turn !== undefined && { turn: each.turn }) }];
    const isOrphan =
      Object.values(PAIRS).includes(type) &&
      typeof call_id === "string" &&
      each.item.execution !== "server" &&
      !calls.has(`${type} ${call_id}`);
    return isOrphan ? [] : [each];
  });
}

const aborted = (type: string, call_id: string): JsonObject =>
  type === "tool_search_output" ? { type, call_id, tools: [] } : { type, call_id, output: "aborted" };
