/**
 * Adds the turns, tool calls and model calls of sessions up by day and by the session that they are counted with: the rows
 * of `daily_stats`. A turn that an earlier session has, too, is that one's (`owner`); which of the two counts depends on
 * whether the asker sees the owner, and is decided when somebody asks.
 */

/** Where the rows are, and which sessions are meant. */
export interface CountedFrom {
  /** A table of the hub by its name, as SQL. */
  table(name: string): string;
  /** A condition on the rows of a table, by its alias and the column that has the session's id. */
  only(alias: string, session: string): string;
}

/** ISO text with a year that can be true. */
const ISO_DAY = String.raw`'^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T'`;

/** The day of a time, as the first ten characters of it; times of any other form have none. */
export const dayOf = (time: string): string => `CASE WHEN ${time} ~ ${ISO_DAY} THEN left(${time}, 10) END`;

/** When a session was last active; what has no time of its own is counted then. */
export const activeOf = (session: string): string =>
  `coalesce(${session}.updated_at, ${session}.created_at, '')`;

/** Stands for the path of a file: numbers are counted faster than texts, and 64 bits are enough to tell paths apart. */
export const fileHash = (file: string): string => `hashtextextended(${file}.file_path, 0)`;

const COLUMNS = `account_id, session_id, day, owner, is_active, turns, calls, failed, model_calls, input, cached, written, output,
  tools, tool_calls, tool_failures, models, uses, model_input, model_cached, model_written, model_output, files, team_id`;

export const insertDays = (into: string, from: CountedFrom): string =>
  `INSERT INTO ${into} (${COLUMNS}) ${selectDays(from)}`;

function selectDays({ table, only }: CountedFrom): string {
  const of = (alias: string, column: string): string =>
    `d.account_id = ${alias}.account_id AND d.session_id = ${alias}.session_id AND d.turn = coalesce(${alias}.${column}, -1)`;
  const listed = (values: string, name: string): string =>
    `coalesce(array_agg(${values} ORDER BY x.${name}) FILTER (WHERE x.${name} IS NOT NULL), '{}')`;
  return `
   WITH about AS MATERIALIZED (
     SELECT s.account_id, s.id AS session_id, s.team_id, s.turn_count, ${activeOf("s")} AS active
       FROM ${table("sessions")} s WHERE ${only("s", "id")}),
   copied AS MATERIALIZED (
     SELECT k.account_id, k.session_id, k.turn_index, k.owner FROM ${table("turn_copies")} k WHERE ${only("k", "session_id")}),
   dated AS MATERIALIZED (
     SELECT y.account_id, y.session_id, y.turn, coalesce(${dayOf("y.at")}, '') AS day, coalesce(k.owner, '') AS owner
       FROM (SELECT a.account_id, a.session_id, t.turn_index AS turn, coalesce(t.timestamp, a.active) AS at
               FROM about a JOIN ${table("turns")} t ON t.account_id = a.account_id AND t.session_id = a.session_id
              WHERE ${only("t", "session_id")}
             UNION ALL
             -- For calls that belong to no turn; they go with the first one.
             SELECT a.account_id, a.session_id, -1, a.active FROM about a) y
       LEFT JOIN copied k ON k.account_id = y.account_id AND k.session_id = y.session_id
        AND k.turn_index = greatest(y.turn, 0))
   SELECT x.account_id, x.session_id, x.day, x.owner, bool_or(x.file IS NULL), sum(x.turns), sum(x.calls), sum(x.failed), sum(x.uses),
          sum(x.input), sum(x.cached), sum(x.written), sum(x.output),
          ${listed("x.tool", "tool")}, ${listed("x.calls", "tool")}, ${listed("x.failed", "tool")},
          ${listed("x.model", "model")}, ${listed("x.uses", "model")}, ${listed("x.input", "model")},
          ${listed("x.cached", "model")}, ${listed("x.written", "model")}, ${listed("x.output", "model")},
          ${listed("x.file", "file")}, a.team_id
     FROM (
       SELECT d.account_id, d.session_id, d.day, d.owner, count(*) AS turns, NULL AS tool, 0 AS calls, 0 AS failed,
              NULL AS model, 0 AS uses, 0 AS input, 0 AS cached, 0 AS written, 0 AS output, NULL::bigint AS file
         FROM dated d WHERE d.turn >= 0 GROUP BY 1, 2, 3, 4
       UNION ALL
       -- A session of nothing but copies is there, too, when it was last active.
       SELECT a.account_id, a.session_id, coalesce(${dayOf("a.active")}, ''), '', 0, NULL, 0, 0, NULL, 0, 0, 0, 0, 0, NULL
         FROM about a WHERE a.turn_count > 0 AND a.turn_count = (
           SELECT count(*) FROM copied k WHERE k.account_id = a.account_id AND k.session_id = a.session_id)
       UNION ALL
       SELECT d.account_id, d.session_id, d.day, d.owner, 0, k.tool_name, count(*), count(*) FILTER (WHERE k.status = 'failed'),
              NULL, 0, 0, 0, 0, 0, NULL
         FROM ${table("tool_calls")} k JOIN dated d ON ${of("k", "turn_index")}
        WHERE ${only("k", "session_id")} GROUP BY 1, 2, 3, 4, 6
       UNION ALL
       SELECT d.account_id, d.session_id, d.day, d.owner, 0, NULL, 0, 0, u.model, count(*), coalesce(sum(u.input_tokens), 0),
              coalesce(sum(u.cache_read_tokens), 0), coalesce(sum(u.cache_write_tokens), 0),
              coalesce(sum(u.output_tokens), 0), NULL
         FROM ${table("assistant_usage_events")} u JOIN dated d ON ${of("u", "turn_index")}
        WHERE ${only("u", "session_id")} GROUP BY 1, 2, 3, 4, 9
       UNION ALL
       SELECT d.account_id, d.session_id, d.day, d.owner, 0, NULL, 0, 0, NULL, 0, 0, 0, 0, 0, ${fileHash("f")}
         FROM ${table("session_files")} f JOIN dated d ON ${of("f", "turn_index")} WHERE ${only("f", "session_id")}) x
     JOIN about a ON a.account_id = x.account_id AND a.session_id = x.session_id
    GROUP BY x.account_id, x.session_id, x.day, x.owner, a.team_id`;
}

/** When each file of the sessions was touched: with its turn, or when the session was last active. */
export const dateFiles = (table: CountedFrom["table"]): string =>
  `UPDATE ${table("session_files")} f SET at = x.at
     FROM (SELECT s.account_id, s.id AS session_id, t.turn_index AS turn, coalesce(t.timestamp, ${activeOf("s")}) AS at
             FROM ${table("turns")} t JOIN ${table("sessions")} s ON s.account_id = t.account_id AND s.id = t.session_id
           UNION ALL
           SELECT s.account_id, s.id, -1, ${activeOf("s")} FROM ${table("sessions")} s) x
    WHERE x.account_id = f.account_id AND x.session_id = f.session_id AND x.turn = coalesce(f.turn_index, -1)`;
