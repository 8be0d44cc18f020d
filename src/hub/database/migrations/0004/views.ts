/** What people's own queries may ask: views named as in the local store, each under the rights of the caller. */
import { roleName } from "../../roles.ts";

const SQL = roleName("sql");
/** Stands alone, so that queries reach nothing but it. */
export const STORE = "store";

/** Rows larger than this are refused, in bytes. */
export const LARGEST_ROW = 1 << 20;

const PERSON = (row: string): string =>
  `(SELECT a.name FROM hub.accounts a WHERE a.account_id = ${row}.account_id) AS person`;

const ABOUT = "s.source, s.vendor_id AS session, s.title, s.repository";

/** Joins rows under this alias with their session `s`. */
const OF = (row: string): string =>
  `JOIN hub.sessions s ON s.account_id = ${row}.account_id AND s.id = ${row}.session_id`;

const own = (alias: string, row: string): string =>
  `${row}.account_id = ${alias}.account_id AND ${row}.session_id = ${alias}.id`;

const INHERITED = `FROM hub.turn_copies c WHERE c.account_id = t.account_id AND c.session_id = t.session_id
  AND c.turn_index = t.turn_index`;

/** The tables of the local store, by the columns that both have. */
const TABLES: Readonly<Record<string, string>> = {
  turns: `session_id, turn_index, user_message, assistant_response, timestamp, ended_at, more, log_file, byte_start,
    byte_end, log_line, digest, work, files_changed, compacted, preamble, text_bytes`,
  turn_copies: "session_id, turn_index, owner",
  checkpoints: `session_id, checkpoint_number, title, overview, history, work_done, technical_details, important_files,
    next_steps, created_at, file`,
  session_files: `session_id, file_path, tool_name, turn_index, first_seen_at, action, evidence, lines_added,
    lines_removed, uncounted`,
  session_refs: "session_id, ref_type, ref_value, turn_index, created_at, evidence",
  tool_calls: "session_id, call_number AS id, turn_index, tool_name, status, label, result_size, sub_agent",
  assistant_usage_events: `session_id, usage_number AS id, turn_index, agent_id, parent_tool_call_id, model,
    copilot_usage_model, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens,
    total_nano_aiu, request_multiplier, duration_ms, time_to_first_token_ms, output_ttft_ms, inter_token_latency_ms,
    initiator, api_endpoint, reasoning_effort, finish_reason, content_filter_triggered, token_details_json, created_at`,
  problems: "session_id, problem_number AS id, code, severity, path, line, message",
};

export const SESSIONS = `SELECT s.id, s.source, s.vendor_id, s.cwd, s.repository, s.repository_evidence, s.host_type, s.branch,
    s.summary, s.created_at, s.updated_at, s.title, s.path, s.turn_count, s.problem_count, s.bytes, s.models, s.producer,
    s.resume, s.parent_id, s.parent_kind, s.parent_title, s.parent_evidence, s.vanished_at, s.user_name, s.agent_name,
    ${PERSON("s")},
    (SELECT m.name FROM hub.machines m WHERE m.account_id = s.account_id AND m.machine_id = s.machine_id LIMIT 1) AS machine,
    (SELECT t.name FROM hub.teams t WHERE t.team_id = s.team_id LIMIT 1) AS team, s.is_sealed::int AS is_sealed
  FROM hub.sessions s`;

/** Times of another form have no length. */
const SECONDS = String.raw`CASE WHEN t.timestamp ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d' AND t.ended_at ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d'
    THEN round(extract(epoch FROM t.ended_at::timestamptz - t.timestamp::timestamptz)::numeric, 1) END`;

export const SESSION_OVERVIEW = `SELECT s.source, s.vendor_id AS session, s.title, s.cwd AS workspace, s.repository, s.branch,
      s.created_at AS started_at, s.updated_at AS active_at, s.turn_count AS turns,
      (SELECT count(*) FROM hub.tool_calls k WHERE ${own("s", "k")}) AS tool_calls,
      (SELECT count(*) FROM hub.session_files f WHERE ${own("s", "f")} AND f.action <> 'read') AS files_changed,
      (SELECT sum(u.input_tokens) FROM hub.assistant_usage_events u WHERE ${own("s", "u")}) AS input_tokens,
      (SELECT sum(u.output_tokens) FROM hub.assistant_usage_events u WHERE ${own("s", "u")}) AS output_tokens,
      s.models, s.problem_count AS problems, s.bytes, s.resume, s.parent_id AS parent, s.parent_kind, s.vanished_at,
      s.id AS session_id, ${PERSON("s")} FROM hub.sessions s`;

const OVERVIEWS: Readonly<Record<string, string>> = {
  session_overview: SESSION_OVERVIEW,
  turn_overview: `SELECT ${ABOUT}, t.turn_index AS turn, t.timestamp AS started_at, t.ended_at, ${SECONDS} AS seconds,
      t.user_message AS prompt, t.assistant_response AS answer,
      (SELECT count(*) FROM hub.tool_calls k WHERE k.account_id = t.account_id AND k.session_id = t.session_id
          AND k.turn_index = t.turn_index) AS tool_calls, t.session_id,
      (SELECT o.vendor_id FROM hub.sessions o WHERE o.account_id = t.account_id AND o.id = (SELECT c.owner ${INHERITED}))
        AS inherited_from, ${PERSON("t")} FROM hub.turns t ${OF("t")}`,
  tool_use: `SELECT ${ABOUT}, k.turn_index AS turn, t.timestamp AS turn_at, k.tool_name AS tool, k.status, k.label,
      k.result_size, k.sub_agent, k.session_id, ${PERSON("k")} FROM hub.tool_calls k ${OF("k")}
      LEFT JOIN hub.turns t ON t.account_id = k.account_id AND t.session_id = k.session_id AND t.turn_index = k.turn_index`,
  file_use: `SELECT ${ABOUT}, f.file_path AS path, f.action, f.tool_name AS tool, f.turn_index AS turn,
      f.first_seen_at AS seen_at, f.session_id, CASE WHEN f.uncounted = 0 THEN f.lines_added END AS lines_added,
      CASE WHEN f.uncounted = 0 THEN f.lines_removed END AS lines_removed, ${PERSON("f")}
      FROM hub.session_files f ${OF("f")}`,
  model_use: `SELECT ${ABOUT}, u.turn_index AS turn, u.created_at AS at, u.model, u.input_tokens, u.cache_read_tokens,
      u.cache_write_tokens, u.output_tokens, u.reasoning_tokens, u.duration_ms, u.session_id, ${PERSON("u")}
      FROM hub.assistant_usage_events u ${OF("u")}`,
  daily_use: `SELECT left(t.timestamp, 10) AS day, s.source, s.repository, count(DISTINCT s.id) AS sessions,
      count(*) AS turns, ${PERSON("s")} FROM hub.turns t ${OF("t")}
      WHERE t.timestamp IS NOT NULL AND NOT EXISTS (SELECT 1 ${INHERITED}) GROUP BY 1, 2, 3, s.account_id`,
};

export const view = (name: string, query: string, create = "CREATE"): string =>
  `${create} VIEW ${STORE}.${name} WITH (security_invoker = true, security_barrier = true) AS ${query}`;

export const STORE_VIEWS: readonly string[] = [
  `CREATE SCHEMA ${STORE}`,
  view("sessions", SESSIONS),
  ...Object.entries(TABLES).map(([name, columns]) =>
    view(
      name,
      `SELECT ${columns
        .split(",")
        .map((column) => `r.${column.trim()}`)
        .join(", ")}, ${PERSON("r")} FROM hub.${name} r`,
    ),
  ),
  ...Object.entries(OVERVIEWS).map(([name, query]) => view(name, query)),
  // Asked of each row of a query, so that no single one fills the memory of the server that passes it on.
  `CREATE FUNCTION ${STORE}.fits(bytes integer) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $body$
     BEGIN
       IF bytes > ${LARGEST_ROW} THEN RAISE program_limit_exceeded USING MESSAGE = 'a row is too large'; END IF;
       RETURN true;
     END$body$`,
  `GRANT USAGE ON SCHEMA ${STORE} TO ${SQL}`,
  `GRANT SELECT ON ALL TABLES IN SCHEMA ${STORE} TO ${SQL}`,
  // A view asks in the name of the caller, who therefore needs what the view needs; the policies decide on the rows.
  ...["sessions", ...Object.keys(TABLES)].map((table) => `GRANT SELECT ON hub.${table} TO ${SQL}`),
  `GRANT SELECT (account_id, name) ON hub.accounts TO ${SQL}`,
  `GRANT SELECT (account_id, team_id, name) ON hub.teams TO ${SQL}`,
  `GRANT SELECT (account_id, machine_id, name) ON hub.machines TO ${SQL}`,
];
