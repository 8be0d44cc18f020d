/** The tables that a hub begins with. */
import { onOneServer, type TableShape } from "../layout.ts";
import { type HubMigration, shardsOf, tablesOf } from "../migration.ts";
import { GUARD, IDENTITY, protect, type Visibility, type Writing } from "../policies.ts";

interface Table extends TableShape {
  readonly visibility: Visibility;
  readonly writing: Writing;
}

const MATES = "account_id = ANY ((SELECT hub.my_mates())::uuid[])";
const ME = "account_id = (SELECT hub.me())";

/**
 * Who there is. All of it lies on the server that people ask: who they are, and what their teams may see, is known there,
 * whatever becomes of the servers with the rows.
 */
const DIRECTORY: readonly Table[] = [
  {
    name: "accounts",
    columns: "name text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), revoked_at timestamptz",
    key: [],
    indexes: ["(name)"],
    visibility: { sees: `${ME} OR ${MATES} OR (SELECT hub.may('admin'))` },
    writing: "none",
  },
  {
    name: "tokens",
    // The hash of a proof, which is itself a hash of the token: neither the token nor what the server passes on is kept.
    columns:
      "token_id uuid NOT NULL, hash bytea NOT NULL, scopes text[] NOT NULL, label text NOT NULL DEFAULT '', created_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz, kind text NOT NULL DEFAULT 'program'",
    key: ["token_id"],
    indexes: ["(account_id, hash)"],
    visibility: { sees: "false" },
    writing: "none",
  },
  {
    name: "teams",
    // By the account that founded it.
    columns: "team_id uuid NOT NULL, name text NOT NULL, created_at timestamptz NOT NULL DEFAULT now()",
    key: ["team_id"],
    visibility: { sees: `${ME} OR team_id = ANY ((SELECT hub.my_teams())::uuid[])` },
    writing: "none",
  },
  {
    name: "members",
    columns: "team_id uuid NOT NULL, since timestamptz NOT NULL DEFAULT now()",
    key: ["team_id"],
    indexes: ["(team_id)"],
    visibility: { sees: `${ME} OR team_id = ANY ((SELECT hub.my_teams())::uuid[])` },
    writing: "none",
  },
  {
    name: "machines",
    columns:
      "machine_id uuid NOT NULL, name text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), seen_at timestamptz NOT NULL DEFAULT now()",
    key: ["machine_id"],
    visibility: "own",
    writing: "own",
  },
  {
    name: "shares",
    // What an account shows to a team: everything of a repository, or one session.
    columns:
      "share_id uuid NOT NULL, team_id uuid NOT NULL, repository text, session_id text, shared_at timestamptz NOT NULL DEFAULT now(), CHECK ((repository IS NULL) <> (session_id IS NULL))",
    key: ["share_id"],
    visibility: "shared",
    writing: "own",
  },
  {
    name: "audit",
    // That something happened, and never what it was about beyond a name.
    columns:
      "entry_id uuid NOT NULL, at timestamptz NOT NULL DEFAULT now(), actor uuid, action text NOT NULL, subject text NOT NULL DEFAULT '', detail jsonb NOT NULL DEFAULT '{}'",
    key: ["entry_id"],
    indexes: ["(at)"],
    visibility: { sees: "(SELECT hub.may('admin'))" },
    writing: "none",
  },
];

/** What was sent: the truth, from which everything below is made. */
const RAW: readonly Table[] = [
  {
    name: "raw_files",
    // The current generation of each file of a session; a file that was cut or rewritten begins a new one. What is meant to
    // replace or continue it in several requests is noted as `next` until it is complete; -1 is the generation before the first.
    columns: `session_id text NOT NULL, path text NOT NULL, generation integer NOT NULL, size bigint NOT NULL,
      sha256 bytea NOT NULL, events bigint NOT NULL DEFAULT 0, mode integer NOT NULL DEFAULT 384,
      mtime_ms double precision NOT NULL DEFAULT 0, next_generation integer, next_size bigint, next_sha256 bytea,
      next_events bigint, team_id uuid, removed_at timestamptz`,
    key: ["session_id", "path"],
    visibility: "shared",
    writing: "own",
  },
  {
    name: "raw_events",
    // One piece of a file, compressed (zstd), or sealed by its owner's key.
    columns:
      "session_id text NOT NULL, path text NOT NULL, generation integer NOT NULL, start bigint NOT NULL, bytes integer NOT NULL, events integer NOT NULL, sha256 bytea NOT NULL, body bytea NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), team_id uuid",
    key: ["session_id", "path", "generation", "start"],
    storage: ["ALTER COLUMN body SET STORAGE EXTERNAL"],
    visibility: "shared",
    writing: "own",
  },
];

/** Columns and names as in the local store; times are ISO text there, so they are here. */
const DERIVED: readonly Table[] = [
  {
    name: "sessions",
    columns: `id text NOT NULL, machine_id uuid NOT NULL, source text NOT NULL, vendor_id text NOT NULL,
      cwd text, repository text, repository_evidence text, host_type text, branch text, summary text,
      created_at text, updated_at text, title text NOT NULL DEFAULT '', path text NOT NULL DEFAULT '',
      turn_count integer NOT NULL DEFAULT 0, problem_count integer NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0,
      models text NOT NULL DEFAULT '[]', producer text, resume text, parent_id text, parent_kind text,
      parent_title text, parent_evidence text, vanished_at text, user_name text, agent_name text,
      born_ms double precision, words text,
      team_id uuid, is_sealed boolean NOT NULL DEFAULT false, about jsonb NOT NULL DEFAULT '{}',
      raw_version bigint NOT NULL DEFAULT 0, derived_version bigint NOT NULL DEFAULT 0, rows_version integer,
      pushed_at timestamptz NOT NULL DEFAULT now(), derived_at timestamptz, derive_error text`,
    key: ["id"],
    indexes: [
      "(account_id, source, vendor_id)",
      "(account_id, updated_at DESC)",
      "(team_id, updated_at DESC) WHERE team_id IS NOT NULL",
      "(repository)",
      "USING gin (title public.gin_trgm_ops)",
      "(id) WHERE raw_version > derived_version",
    ],
    visibility: "shared",
    writing: "own",
  },
  {
    name: "turns",
    columns: `session_id text NOT NULL, turn_index integer NOT NULL, user_message text, assistant_response text,
      timestamp text, ended_at text, more text, log_file text, byte_start bigint, byte_end bigint, log_line bigint,
      digest bigint, work bigint, files_changed integer, compacted integer, preamble integer, text_bytes bigint,
      words tsvector, team_id uuid`,
    key: ["session_id", "turn_index"],
    indexes: ["USING gin (words)", "(account_id, work) WHERE work IS NOT NULL", "(timestamp)"],
    visibility: "shared",
    writing: "none",
  },
  {
    name: "turn_copies",
    columns: "session_id text NOT NULL, turn_index integer NOT NULL, owner text NOT NULL, team_id uuid",
    key: ["session_id", "turn_index"],
    visibility: "shared",
    writing: "none",
  },
  {
    name: "checkpoints",
    columns: `session_id text NOT NULL, checkpoint_number integer NOT NULL, title text, overview text, history text,
      work_done text, technical_details text, important_files text, next_steps text, created_at text, file text,
      team_id uuid`,
    key: ["session_id", "checkpoint_number"],
    visibility: "shared",
    writing: "none",
  },
  {
    name: "session_files",
    columns: `session_id text NOT NULL, file_path text NOT NULL, tool_name text, turn_index integer, first_seen_at text,
      action text NOT NULL, evidence text NOT NULL, lines_added integer, lines_removed integer,
      uncounted integer NOT NULL DEFAULT 0, team_id uuid`,
    key: ["session_id", "file_path"],
    indexes: ["USING gin (file_path public.gin_trgm_ops)"],
    visibility: "shared",
    writing: "none",
  },
  {
    name: "session_refs",
    columns: `session_id text NOT NULL, ref_type text NOT NULL, ref_value text NOT NULL, turn_index integer,
      created_at text, evidence text NOT NULL, team_id uuid`,
    key: ["session_id", "ref_type", "ref_value"],
    indexes: ["(ref_type, ref_value)"],
    visibility: "shared",
    writing: "none",
  },
  {
    name: "tool_calls",
    columns: `session_id text NOT NULL, call_number integer NOT NULL, turn_index integer, tool_name text NOT NULL,
      status text NOT NULL, label text, result_size bigint, sub_agent integer NOT NULL DEFAULT 0, team_id uuid`,
    key: ["session_id", "call_number"],
    visibility: "shared",
    writing: "none",
  },
  {
    name: "assistant_usage_events",
    columns: `session_id text NOT NULL, usage_number integer NOT NULL, turn_index integer, agent_id text,
      parent_tool_call_id text, model text NOT NULL, copilot_usage_model text, input_tokens bigint,
      output_tokens bigint, cache_read_tokens bigint, cache_write_tokens bigint, reasoning_tokens bigint,
      total_nano_aiu bigint, request_multiplier double precision, duration_ms bigint, time_to_first_token_ms bigint,
      output_ttft_ms double precision, inter_token_latency_ms bigint, initiator text, api_endpoint text,
      reasoning_effort text, finish_reason text, content_filter_triggered integer, token_details_json text,
      created_at text, team_id uuid`,
    key: ["session_id", "usage_number"],
    indexes: ["(model)"],
    visibility: "shared",
    writing: "none",
  },
  {
    name: "problems",
    columns: `session_id text NOT NULL, problem_number integer NOT NULL, code text NOT NULL, severity text NOT NULL,
      path text NOT NULL, line bigint, message text NOT NULL, team_id uuid`,
    key: ["session_id", "problem_number"],
    visibility: "shared",
    writing: "none",
  },
  {
    name: "search_texts",
    columns: `session_id text NOT NULL, source_type text NOT NULL, source_id text NOT NULL, content text NOT NULL,
      label text, words tsvector, team_id uuid`,
    key: ["session_id", "source_type", "source_id"],
    indexes: ["USING gin (words)"],
    visibility: "shared",
    writing: "none",
  },
  {
    name: "daily_stats",
    columns: `day date NOT NULL, session_id text NOT NULL, source text NOT NULL, repository text,
      turns integer NOT NULL DEFAULT 0, tool_calls integer NOT NULL DEFAULT 0, input_tokens bigint NOT NULL DEFAULT 0,
      output_tokens bigint NOT NULL DEFAULT 0, team_id uuid`,
    key: ["day", "session_id"],
    visibility: "shared",
    writing: "none",
  },
];

const CONTENT: readonly Table[] = [...RAW, ...DERIVED];
export const TABLES: readonly Table[] = [...DIRECTORY, ...CONTENT];
/** Those whose rows are made from raw files, by the column that names the session. */
export const DERIVED_TABLES: readonly string[] = DERIVED.map(({ name }) => name).filter(
  (name) => name !== "sessions",
);

export const hub: HubMigration = {
  id: "0001-hub",
  why: "people push sessions, and their teams find them",
  up: (layout) => [
    GUARD,
    ...tablesOf(DIRECTORY, onOneServer(layout.partitions)),
    ...tablesOf(CONTENT, layout),
    ...IDENTITY,
    ...TABLES.flatMap(({ name, visibility, writing }) => protect(name, visibility, writing)),
  ],
  shard: (layout, server) => shardsOf(CONTENT, layout, server),
};
