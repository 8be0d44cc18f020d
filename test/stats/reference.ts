/**
 * Statistics by queries that count every row anew, as slow as they are plain: what the tallies of sessions add up to must be
 * the same.
 */
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import type {
  Division,
  FileShare,
  ModelShare,
  Share,
  StatsScope,
  ToolShare,
} from "../../src/store/stats/stats.ts";
import { datedBy, usageBy } from "./reference-scope.ts";

export { withScope } from "./reference-scope.ts";

const KEYS: Readonly<Record<Division, string>> = {
  whole: "''",
  day: "day",
  week: "date(day, 'weekday 0', '-6 days')", // its Monday
  month: "substr(day, 1, 7)",
  repository: "place",
  source: "source",
};

/** The functions below are asked within `withScope`. */
export function divide(db: Database, by: Division): Share[] {
  const key = KEYS[by];
  const shares = db
    .prepare(
      `SELECT ${key} AS key, count(DISTINCT session) AS sessions, sum(turns) AS turns, sum(calls) AS toolCalls,
              sum(failed) AS failedCalls, 0 AS files, sum(model_calls) AS modelCalls, sum(input) AS inputTokens,
              sum(cached) AS cachedTokens, sum(output) AS outputTokens
         FROM entries GROUP BY 1 ORDER BY 1`,
    )
    .all() as unknown as Share[];
  const files = db
    .prepare(`SELECT ${key} AS key, count(DISTINCT path) AS files FROM touched GROUP BY 1`)
    .all();
  const filesOf = new Map(files.map((row) => [row.key, Number(row.files)]));
  return shares.map((share) => ({ ...share, files: filesOf.get(share.key) ?? 0 }));
}

/** Some sources name their models without counting calls: those sessions still count. */
export function divideByModel(db: Database, { cacheApart }: StatsScope): ModelShare[] {
  const apart = cacheApart.map(() => "?").join(", ");
  const rows = db
    .prepare(
      `SELECT model_name(model) AS model, json_group_array(DISTINCT model) AS names, count(DISTINCT session) AS sessions, sum(calls) AS modelCalls, sum(input) AS inputTokens,
              sum(cached) AS cachedTokens, sum(written) AS cacheWrittenTokens, sum(output) AS outputTokens
         FROM (
           SELECT u.model, c.session, u.calls, u.cached, u.written, u.output,
                  u.input + iif(c.source IN (${apart}), u.cached + u.written, 0) AS input
             FROM (${usageBy("session_id, turn_index, model")}) u
             ${datedBy("u")}
           UNION ALL
           SELECT m.value, c.session, 0, 0, 0, 0, 0 FROM chosen c, json_each(c.models) m
            WHERE c.session IN (SELECT session FROM entries))
        GROUP BY 1 ORDER BY sessions DESC, modelCalls DESC, 1`,
    )
    .all(...cacheApart);
  return rows.map((row) => ({ ...row, names: toNames(row.names) })) as unknown as ModelShare[];
}

const toNames = (json: unknown): string[] => (JSON.parse(String(json)) as string[]).sort();

export function divideByTool(db: Database): ToolShare[] {
  const rows = db
    .prepare(
      `WITH called AS MATERIALIZED (
         SELECT k.tool_name AS name, tool_key(k.tool_name) AS tool, c.session, sum(k.calls) AS calls,
                sum(k.failed) AS failed
           -- Counted first: there are many calls to a turn, and each would be looked up.
           FROM (SELECT session_id, turn_index, tool_name, count(*) AS calls, sum(status = 'failed') AS failed
                   FROM tool_calls GROUP BY 1, 2, 3) k ${datedBy("k")} GROUP BY 1, 3),
       spelled AS (SELECT tool, name, sum(calls) AS calls FROM called GROUP BY 1, 2)
       SELECT (SELECT name FROM spelled s WHERE s.tool = c.tool ORDER BY s.calls DESC, name LIMIT 1) AS tool,
              json_group_array(DISTINCT name) AS names, count(DISTINCT session) AS sessions, sum(calls) AS toolCalls,
              sum(failed) AS failedCalls
         FROM called c GROUP BY c.tool ORDER BY toolCalls DESC, 1`,
    )
    .all();
  return rows.map((row) => ({ ...row, names: toNames(row.names) })) as unknown as ToolShare[];
}

export function divideByFile(db: Database): FileShare[] {
  return db
    .prepare(
      // A session has one row of each file, so its rows are as many as its sessions.
      `SELECT path, count(*) AS sessions, sum(changed) AS changedIn, max(at) AS lastAt
         FROM touched GROUP BY 1 ORDER BY sessions DESC, changedIn DESC, path`,
    )
    .all() as unknown as FileShare[];
}
