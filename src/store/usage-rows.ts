/** Maps model calls to rows of `usage_rows`, which are seen as `assistant_usage_events`. */
import type { Usage } from "../model/session/usage.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import type { UsageRow } from "./rows.ts";

const COLUMNS: Readonly<Record<keyof Usage, string>> = {
  subAgent: "agent_id",
  model: "model",
  billedModel: "copilot_usage_model",
  input: "input_tokens",
  output: "output_tokens",
  cached: "cache_read_tokens",
  cacheWritten: "cache_write_tokens",
  reasoning: "reasoning_tokens",
  nanoCredits: "total_nano_aiu",
  multiplier: "request_multiplier",
  durationMs: "duration_ms",
  firstTokenMs: "time_to_first_token_ms",
  firstOutputMs: "output_ttft_ms",
  betweenTokensMs: "inter_token_latency_ms",
  initiator: "initiator",
  endpoint: "api_endpoint",
  effort: "reasoning_effort",
  finish: "finish_reason",
  filtered: "content_filter_triggered",
  details: "token_details_json",
  call: "call_key",
};
const FIELDS = Object.keys(COLUMNS) as (keyof Usage)[];

/** The statement's other columns come first. */
const INSERT = `INSERT INTO usage_rows (session, turn_index, parent_tool_call_id, created_at, ${FIELDS.map((field) => COLUMNS[field]).join(", ")}) VALUES (?, ?, ?, ?, ${FIELDS.map(() => "?").join(", ")})`;

/** By the session's number: `assistant_usage_events` is a view of these rows. */
export function createUsageInsert(db: Database): (session: number, row: UsageRow) => void {
  const insert = db.prepare(INSERT);
  return (session, row) =>
    void insert.run(session, row.turn ?? null, row.agent ?? null, row.at ?? null, ...toCells(row));
}

/** In the order of `FIELDS`, written out because there is a row for every call of a model. */
const toCells = (row: UsageRow): (string | number | null)[] => [
  row.subAgent ?? null,
  row.model ?? null,
  row.billedModel ?? null,
  row.input ?? null,
  row.output ?? null,
  row.cached ?? null,
  row.cacheWritten ?? null,
  row.reasoning ?? null,
  row.nanoCredits ?? null,
  row.multiplier ?? null,
  row.durationMs ?? null,
  row.firstTokenMs ?? null,
  row.firstOutputMs ?? null,
  row.betweenTokensMs ?? null,
  row.initiator ?? null,
  row.endpoint ?? null,
  row.effort ?? null,
  row.finish ?? null,
  row.filtered === undefined ? null : Number(row.filtered),
  row.details ?? null,
  row.call ?? null,
];
