/** Creates temporary tables with the part of the store that statistics are about, for the queries in `reference.ts`. */
import { modelName } from "../../src/model/values/model-name.ts";
import { toolKey } from "../../src/model/values/tool-name.ts";
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import { addFilterFunctions, compileFilter } from "../../src/store/filter.ts";
import type { StatsScope } from "../../src/store/stats/stats.ts";

/**
 * `chosen`: a session and its place, which is its repository, or else its folder.
 * `dated`: a turn of it and its day; turn -1 stands for what belongs to none. Turns that it has from another session are
 * not among them, so that all that was done in them counts there; turn -2 stands for a session that has no others, and turns
 * below -9 for model calls that it made in a turn of another session. Days are those of the reader's time zone: work after
 * midnight belongs to the new one. `entries`: what was done in a session on a day. `touched`: files, by session and day.
 */
const TABLES = ["chosen", "dated", "entries", "touched"];

export function withScope<T>(db: Database, scope: StatsScope, ask: () => T): T {
  addFilterFunctions(db);
  // The same spellings come thousands of times.
  const once = (rule: (name: string) => string) => {
    const known = new Map<unknown, string>();
    return (name: unknown): string => {
      const found = known.get(name) ?? rule(String(name));
      known.set(name, found);
      return found;
    };
  };
  db.function("model_name", { deterministic: true }, once(modelName));
  db.function("tool_key", { deterministic: true }, once(toolKey));
  db.exec("PRAGMA temp_store = MEMORY");
  try {
    layOut(db, scope);
    return ask();
  } finally {
    for (const table of TABLES) db.exec(`DROP TABLE IF EXISTS temp.${table}`);
  }
}

function layOut(db: Database, { filter, since = "", until = "~", cacheApart }: StatsScope): void {
  const { where, values } = compileFilter(filter);
  db.exec(`
    CREATE TEMP TABLE chosen (session INTEGER PRIMARY KEY, id TEXT UNIQUE, source TEXT, place TEXT, active TEXT, models TEXT, turns INTEGER);
    CREATE TEMP TABLE dated (session INTEGER, turn INTEGER, day TEXT, at TEXT, PRIMARY KEY (session, turn)) WITHOUT ROWID`);
  db.prepare(
    `INSERT INTO chosen
       -- Numbered in the order of their ids, in which turns and calls will come, too.
       SELECT row_number() OVER (ORDER BY s.id), s.id, s.source,
              -- On GitHub case does not matter in a name, so the spellings of one are one place.
              first_value(coalesce(s.repository, s.cwd)) OVER (
                PARTITION BY iif(s.repository LIKE '%/%' AND s.repository NOT LIKE '%/%/%', lower(s.repository),
                                 coalesce(s.repository, s.cwd))
                ORDER BY s.repository),
              coalesce(s.updated_at, s.created_at, ''), s.models, s.turn_count
         FROM sessions s ${where && `WHERE ${where}`}`,
  ).run(...values);
  // The index by name: the planner would take another, which leads through the text of the turns.
  db.prepare(
    `INSERT INTO dated
       -- Rows of sessions that are gone may still have a time that cannot be true.
       SELECT session, turn, iif(at BETWEEN '2000' AND '2100', date(at, 'localtime'), NULL), at
         FROM (SELECT c.session, t.turn_index AS turn, coalesce(t.timestamp, c.active) AS at
                 FROM turns t INDEXED BY idx_turns_time JOIN chosen c ON c.id = t.session_id
                WHERE NOT ${isCopy("t.session_id", "t.turn_index")}
               UNION ALL
               SELECT c.session, ${ownPart("k.turn_index")}, coalesce(t.timestamp, c.active)
                 FROM turn_copies k JOIN chosen c ON c.id = k.session_id
                 JOIN turns t INDEXED BY idx_turns_time ON t.session_id = k.session_id AND t.turn_index = k.turn_index
               UNION ALL
               SELECT session, -1, active FROM chosen WHERE NOT ${isCopy("id", "0")}
               UNION ALL
               SELECT session, -2, active FROM chosen
                WHERE turns > 0 AND turns = (SELECT count(*) FROM turn_copies WHERE session_id = id))
        WHERE at BETWEEN ? AND ?`,
  ).run(since, until);
  const apart = cacheApart.map(() => "?").join(", ");
  db.prepare(
    `CREATE TEMP TABLE entries AS
       SELECT c.session, c.source, c.place, day, sum(e.turns) AS turns, sum(calls) AS calls, sum(failed) AS failed,
              sum(model_calls) AS model_calls, sum(cached) AS cached, sum(output) AS output,
              sum(input + iif(c.source IN (${apart}), cached + written, 0)) AS input
         FROM (
           SELECT session, day, turn >= 0 AS turns, 0 AS calls, 0 AS failed,
                  0 AS model_calls, 0 AS input, 0 AS cached, 0 AS written, 0 AS output
             FROM dated WHERE turn >= 0 OR turn = -2 OR session IN (SELECT session FROM chosen WHERE turns = 0)
           UNION ALL
           SELECT d.session, d.day, 0, k.calls, k.failed, 0, 0, 0, 0, 0
             FROM (SELECT session_id, turn_index, count(*) AS calls, sum(status = 'failed') AS failed
                     FROM tool_calls GROUP BY 1, 2) k ${datedBy("k")}
           UNION ALL
           SELECT d.session, d.day, 0, 0, 0, u.calls, u.input, u.cached, u.written, u.output
             FROM (${usageBy("session_id, turn_index")}) u ${datedBy("u")}) e
         JOIN chosen c ON c.session = e.session
        GROUP BY c.session, day`,
  ).run(...cacheApart);
  db.exec(
    `CREATE TEMP TABLE touched AS
       SELECT c.session, c.source, c.place, d.day, d.at, f.file_path AS path, f.action <> 'read' AS changed
         FROM session_files f ${datedBy("f")}`,
  );
}

/** The turn belongs to an earlier session. */
const isCopy = (session: string, turn: string): string =>
  `EXISTS (SELECT 1 FROM turn_copies k WHERE k.session_id = ${session} AND k.turn_index = ${turn})`;

/** Stands in `dated` for what a session itself added to a turn that it has from another one. */
const ownPart = (turn: string): string => `-10 - ${turn}`;

/** Joins rows that name a session and a turn, under this alias, with the session `c` and the day `d`. */
export const datedBy = (alias: string): string =>
  `JOIN chosen c ON c.id = ${alias}.session_id
   JOIN dated d ON d.session = c.session AND d.turn = coalesce(${alias}.turn_index, -1)`;

/**
 * Model calls added up by these columns. A call with a key belongs to the earliest session that has it, whatever becomes
 * of the turn around it: a fork may go on in the middle of a turn.
 */
export const usageBy = (columns: string): string =>
  `SELECT ${columns}, count(*) AS calls, coalesce(sum(input_tokens), 0) AS input, coalesce(sum(output_tokens), 0) AS output,
          coalesce(sum(cache_read_tokens), 0) AS cached, coalesce(sum(cache_write_tokens), 0) AS written
     FROM (SELECT e.session_id, e.model, e.input_tokens, e.output_tokens, e.cache_read_tokens, e.cache_write_tokens,
                  iif(e.call_key IS NOT NULL AND ${isCopy("e.session_id", "e.turn_index")},
                      ${ownPart("e.turn_index")}, e.turn_index) AS turn_index
             FROM assistant_usage_events e
            WHERE e.call_key IS NULL OR NOT EXISTS (
              SELECT 1 FROM call_copies k WHERE k.session_id = e.session_id AND k.call_key = e.call_key))
    GROUP BY ${columns}`;
