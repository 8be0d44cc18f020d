/** The rows of one session: those that the local store would have of its files, made by the same code. */

import { OUTPUT_HEAD } from "../../indexer/output-head.ts";
import { refresh } from "../../indexer/refresh.ts";
import type { SessionKey } from "../../model/values/id.ts";
import { setMember } from "../../model/values/member.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { openMemoryStore } from "../../store/open.ts";
import { turnContent } from "../../store/search/index.ts";
import { createSessionStore } from "../../store/session-store.ts";
import type { ColumnValue } from "../database/connect.ts";
import type { SessionFacts } from "../protocol.ts";
import { rootFor } from "./raw-home.ts";
import { catalogOf } from "./session-catalog.ts";
import { turnWords } from "./words.ts";

export type Row = Record<string, ColumnValue | bigint>;

export interface ExtractedRows {
  readonly session: Row;
  /** By table. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}

/** The columns of each table, as the local store has them; the second column of the hub's key is a number where it has none. */
const TABLES: readonly { readonly name: string; readonly columns: string; readonly number?: string }[] = [
  {
    name: "turns",
    columns: `turn_index, user_message, assistant_response, timestamp, ended_at, more, log_file, byte_start, byte_end,
      log_line, digest, work, files_changed, compacted, preamble, text_bytes`,
  },
  {
    name: "checkpoints",
    columns: `checkpoint_number, title, overview, history, work_done, technical_details, important_files, next_steps,
      created_at, file`,
  },
  {
    name: "session_files",
    columns: `file_path, tool_name, turn_index, first_seen_at, action, evidence, lines_added, lines_removed, uncounted`,
  },
  { name: "session_refs", columns: "ref_type, ref_value, turn_index, created_at, evidence" },
  {
    name: "tool_calls",
    columns: "turn_index, tool_name, status, label, result_size, sub_agent",
    number: "call_number",
  },
  {
    name: "assistant_usage_events",
    columns: `turn_index, agent_id, parent_tool_call_id, model, copilot_usage_model, input_tokens, output_tokens,
      cache_read_tokens, cache_write_tokens, reasoning_tokens, total_nano_aiu, request_multiplier, duration_ms,
      time_to_first_token_ms, output_ttft_ms, inter_token_latency_ms, initiator, api_endpoint, reasoning_effort,
      finish_reason, content_filter_triggered, token_details_json, created_at`,
    number: "usage_number",
  },
  { name: "problems", columns: "code, severity, path, line, message", number: "problem_number" },
  { name: "search_texts", columns: "source_type, source_id, content, label" },
];

const SESSION_COLUMNS = `source, vendor_id, cwd, repository, repository_evidence, host_type, branch, summary, created_at,
  updated_at, title, path, turn_count, problem_count, bytes, models, producer, resume, parent_id, parent_kind,
  parent_title, parent_evidence, from_source, from_id, from_title, user_name, agent_name, born_ms, words`;

/** Nothing where the files are no session of that id. */
export async function extractRows(
  fs: SessionFs,
  key: SessionKey,
  facts: SessionFacts,
  now: () => Date = () => new Date(),
): Promise<ExtractedRows | undefined> {
  const db = openMemoryStore(now);
  try {
    const { source, id } = key;
    const catalog = catalogOf(fs, key, facts);
    await refresh(catalog, createSessionStore(db), { outputHead: OUTPUT_HEAD, now, sources: [source] });
    const found = db
      .prepare(`SELECT id, ${SESSION_COLUMNS} FROM sessions WHERE source = ? AND vendor_id = ? ORDER BY id`)
      .get(source, id);
    if (!found) return undefined;
    return readRows(db, found, `${rootFor(source)}/`);
  } finally {
    db.close();
  }
}

/** Paths are told as they were sent, below the root of their source. */
function readRows(db: Database, { id, ...session }: Row, root: string): ExtractedRows {
  const rows = new Map<string, Row[]>();
  const timeOf = createClock(db, String(id), session);
  for (const { name, columns, number } of TABLES) {
    const order = name === "turns" ? "turn_index" : name === "checkpoints" ? "checkpoint_number" : "id";
    const found = db
      .prepare(`SELECT ${columns} FROM ${name} WHERE session_id = ? ORDER BY ${order}`)
      .all(String(id));
    rows.set(
      name,
      found.map((row, at) => {
        const clean = toClean(row, root);
        if (name === "turns") clean.words = wordsOfTurn(row);
        if (name === "session_files") clean.at = timeOf(row.turn_index);
        if (name === "search_texts") clean.words = turnWords(String(row.content));
        return number === undefined ? clean : { ...clean, [number]: at + 1 };
      }),
    );
  }
  return { session: toClean(session, root), rows };
}

/** When something was done: with its turn, or when the session was last active. Without a turn that is there, at no time. */
function createClock(db: Database, id: string, session: Row): (turn: Row[string]) => string | null {
  const active = String(session.updated_at ?? session.created_at ?? "");
  const turns = db.prepare("SELECT turn_index, timestamp FROM turns WHERE session_id = ?").all(id);
  const times = new Map(turns.map((row) => [row.turn_index, toText(String(row.timestamp ?? active))]));
  return (turn) => (turn === null ? active : (times.get(Number(turn)) ?? null));
}

const wordsOfTurn = (row: Row): string =>
  turnWords(
    turnContent(String(row.user_message ?? ""), String(row.assistant_response ?? "")),
    String(row.more ?? ""),
  );

/** PostgreSQL's texts hold no NUL and no half of a character; nor may JSON that is asked as JSON, where they are escaped. */
function toClean(row: Row, root: string): Row {
  const clean: Row = {};
  for (const [name, value] of Object.entries(row))
    setMember(
      clean,
      name,
      typeof value !== "string"
        ? value
        : name === "models"
          ? JSON.stringify(JSON.parse(value), (_, part) => (typeof part === "string" ? toText(part) : part))
          : toText(
              name === "path" || name === "message" || name === "log_file"
                ? value.replaceAll(root, "")
                : value,
            ),
    );
  return clean;
}

const toText = (value: string): string => value.replaceAll("\0", "\ufffd").toWellFormed();
