/** One line of a log: its record, and what Codex CLI would make of it. */

import type { ProblemCode } from "../../../model/problem.ts";
import { memberOf } from "../../../model/values/member.ts";
import { isOddTime, isTimely, toIso } from "../../../model/values/time.ts";
import type { Line } from "../../../platform/fs/lines.ts";
import { type NotedOrigin, originIn } from "../../handed-work.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  decodeLine,
  type JsonObject,
  TOO_DEEP_TO_SHOW,
} from "../../log/jsonl.ts";

export interface LogRecord {
  readonly type: string;
  readonly payload: JsonObject;
  /** What the program keeps beside an item of the conversation. */
  readonly metadata: JsonObject;
  readonly ordinal?: number;
  /** ISO 8601, in UTC. */
  readonly time?: string;
}

export interface Fault {
  readonly code: ProblemCode;
  readonly why: string;
}

export interface Judged {
  readonly record?: LogRecord;
  readonly fault?: Fault;
  /** It names a time that cannot be true. */
  readonly hasOddTime?: true;
}

/** `response_item` is what the model said and was told; `event_msg` is what people see of it. */
const RECORD_TYPES: ReadonlySet<string> = new Set([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "world_state",
  "compacted",
  "token_usage_record",
  "inter_agent_communication",
  "inter_agent_communication_metadata",
  "security_risk_score",
]);

const isText = (value: unknown): boolean => typeof value === "string";
const isList = (value: unknown): boolean => Array.isArray(value);
const isOutput = (value: unknown): boolean => isText(value) || isList(value);

/** The kinds of items, each with what it must have to be read back. */
const ITEMS: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  message: { role: isText, content: isList },
  agent_message: { author: isText, recipient: isText, content: isList },
  reasoning: { summary: isList },
  function_call: { name: isText, arguments: isText, call_id: isText },
  function_call_output: { output: isOutput },
  custom_tool_call: { name: isText, input: isText, call_id: isText },
  custom_tool_call_output: { call_id: isText, output: isOutput },
  local_shell_call: {},
  web_search_call: {},
  image_generation_call: {},
  tool_search_call: {},
  tool_search_output: {},
  compaction: {},
  compaction_summary: {},
  context_compaction: {},
  additional_tools: {},
  ghost_snapshot: {},
};

/** Why an item is dropped when the log is read back; nothing for one that is kept. */
export function whyDropped(item: JsonObject): Fault | undefined {
  const type = asString(item.type) ?? "";
  const needs = memberOf(ITEMS, type);
  if (!needs) return { code: "record-unknown", why: `unknown item "${type}", which Codex CLI passes over` };
  const lacking = Object.entries(needs).find(([key, isRight]) => !isRight(memberOf(item, key)));
  return lacking && { code: "record-invalid", why: `${type} without ${lacking[0]}; Codex CLI drops it` };
}

export function judge(line: Line): Judged {
  const decoded = decodeLine(line);
  if (decoded.kind === "blank") return {};
  if (decoded.kind === "bad") return { fault: decoded };
  const { record, fault } = judgeRecord(decoded.record);
  const odd = isOddTime(decoded.record.timestamp) ? ({ hasOddTime: true } as const) : {};
  if (decoded.replaced) return { ...(record && { record }), ...odd, fault: NOT_UTF8 };
  const tooDeep = decoded.isCut ? { fault: TOO_DEEP } : {};
  return { ...(record && { record }), ...odd, ...tooDeep, ...(fault && { fault }) };
}

const NOT_UTF8: Fault = {
  code: "record-encoding",
  why: "the line has bytes that are not UTF-8, so Codex CLI refuses the session",
};
const TOO_DEEP: Fault = { code: "too-deep", why: TOO_DEEP_TO_SHOW };

function judgeRecord(raw: JsonObject): Judged {
  const record = toRecord(raw) ?? toEarlyRecord(raw);
  if (!record) return { fault: { code: "record-unknown", why: "a record without a type" } };
  const { type, payload } = record;
  if (!RECORD_TYPES.has(type))
    return { fault: { code: "record-unknown", why: `unknown record type "${type}"` } };
  const fault = type === "response_item" ? whyDropped(payload) : undefined;
  return { ...(fault?.code !== "record-unknown" && { record }), ...(fault && { fault }) };
}

function toRecord(raw: JsonObject): LogRecord | undefined {
  const type = asString(raw.type);
  const payload = asObject(raw.payload);
  if (type === undefined || !payload) return undefined;
  const ordinal = asNumber(raw.ordinal);
  return {
    type,
    payload,
    metadata: asObject(raw.metadata) ?? {},
    ...(ordinal !== undefined && { ordinal }),
    ...timeOf(raw.timestamp),
  };
}

/** Releases before 0.32 wrote items as they are, after a first line with the session's id; later ones refuse such logs. */
function toEarlyRecord(raw: JsonObject): LogRecord | undefined {
  const type = asString(raw.type);
  const metadata = { isEarly: true };
  if (type !== undefined && Object.hasOwn(ITEMS, type))
    return { type: "response_item", payload: raw, metadata };
  if (asString(raw.record_type) !== undefined) return { type: "world_state", payload: {}, metadata };
  return type === undefined && asString(raw.id) !== undefined && asString(raw.timestamp) !== undefined
    ? { type: "session_meta", payload: raw, metadata, ...timeOf(raw.timestamp) }
    : undefined;
}

function timeOf(value: unknown): { readonly time?: string } {
  const isPlain = typeof value === "string" && PLAIN_TIME.test(value) && isTimely(value);
  const time = isPlain ? value : toIso(value);
  return time === undefined ? {} : { time };
}

const PLAIN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const isEarly = ({ metadata }: LogRecord): boolean => metadata.isEarly === true;

/** Of a session's first record. */
export interface SessionMeta {
  readonly id?: string;
  readonly startedAt?: string;
  readonly folder?: string;
  readonly branch?: string;
  readonly repository?: string;
  readonly producer?: string;
  /** The session that this one was forked from, or the one whose agent started it. */
  readonly forkedFrom?: string;
  readonly startedBy?: string;
  readonly origin?: NotedOrigin;
  readonly agentName?: string;
  /** The log that holds what came before, and how much of it belongs to this session. */
  readonly base?: { readonly log: string; readonly end: number };
  /** It says that something came before, but not in words that lead anywhere. */
  readonly badBase?: true;
  /** Of a sub-agent: records before this one are what it was told of its parent's conversation. */
  readonly ownFrom?: number;
}

export function toMeta(payload: JsonObject): SessionMeta {
  const git = asObject(payload.git);
  const base = asObject(payload.history_base);
  const [log, end] = [asString(base?.thread_id), asNumber(base?.end_byte_offset)];
  const isBase = log !== undefined && end !== undefined && Number.isSafeInteger(end) && end >= 0;
  const spawn = asObject(asObject(asObject(payload.source)?.subagent)?.thread_spawn);
  const meta: Record<keyof SessionMeta, unknown> = {
    id: asString(payload.id),
    startedAt: toIso(payload.timestamp),
    folder: asString(payload.cwd),
    branch: asString(git?.branch),
    repository: asString(git?.repository_url),
    producer: asString(payload.cli_version),
    forkedFrom: asString(payload.forked_from_id),
    startedBy: asString(payload.parent_thread_id) ?? asString(spawn?.parent_thread_id),
    origin: originIn(payload),
    agentName: asString(payload.agent_path) ?? asString(payload.agent_nickname),
    base: isBase ? { log, end } : undefined,
    badBase: isBase || (payload.history_base ?? undefined) === undefined ? undefined : true,
    ownFrom: asNumber(payload.subagent_history_start_ordinal),
  };
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined));
}

/** The texts of a message, or of what a tool gave back. */
export const textsOf = (content: unknown): string[] =>
  typeof content === "string"
    ? [content]
    : asArray(content).flatMap((part) => asString(asObject(part)?.text) ?? []);
