/** Statistics over the sessions that somebody may see: the questions of the local store, in PostgreSQL's words. */
import { modelName } from "../../model/values/model-name.ts";
import { toolKey } from "../../model/values/tool-name.ts";
import {
  byTurns,
  isPeriod,
  NOTHING,
  type Stats,
  type StatsBy,
  type StatsRow,
  type StatsSum,
  withIdle,
} from "../../query/stats.ts";
import type { FileShare, Measures, ModelShare, Share, ToolShare } from "../../store/stats/stats.ts";
import type { HubDatabase, Rows, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { HUB_SOURCES } from "../derive/raw-home.ts";
import { requireScope } from "../ingest/access.ts";
import { byBytes, compileHubFilter, type HubFilter } from "./filter.ts";

export type HubStatsBy = StatsBy | "person";

export interface HubStats extends Stats {
  readonly people: readonly Share[];
}

export interface HubDividedStats extends StatsSum {
  readonly by: HubStatsBy;
  readonly rows: readonly StatsRow[];
  readonly total: number;
}

/** Sources that count tokens of the prompt cache apart from the input. */
const CACHE_APART = HUB_SOURCES.sources.flatMap((each) => (each.countsCacheApart ? [each.source] : []));

type Division = "whole" | "day" | "week" | "month" | "repository" | "source" | "person";

/** Days are those of UTC: people of a team live in several time zones. */
const KEYS: Readonly<Record<Division, string>> = {
  whole: "''::text",
  day: "day",
  week: "date_trunc('week', day::timestamp)::date::text", // its Monday
  month: "left(day, 7)",
  repository: "place",
  source: "source",
  person: "person",
};

/** What is asked about, laid out as `store/stats/scope.ts` does it; each question begins with this. */
interface Layout {
  readonly tx: Transaction;
  readonly tables: string;
  readonly values: readonly unknown[];
}

/** A turn that an earlier session has, too, counts there; unless the asker does not see that one. */
const isCopy = (turn: string): string => `EXISTS (SELECT 1 FROM hub.turn_copies k
  JOIN hub.sessions o ON o.account_id = k.account_id AND o.id = k.owner
 WHERE k.account_id = c.account_id AND k.session_id = c.id AND k.turn_index = ${turn})`;

/** Joins rows that name a session and a turn with the session `c` and the day `d`. */
const datedBy = (row: string): string =>
  `JOIN chosen c ON c.account_id = ${row}.account_id AND c.id = ${row}.session_id
   JOIN dated d ON d.no = c.no AND d.turn = coalesce(${row}.turn_index, -1)`;

const USED = `coalesce(u.input_tokens, 0) AS input, coalesce(u.output_tokens, 0) AS output,
  coalesce(u.cache_read_tokens, 0) AS cached, coalesce(u.cache_write_tokens, 0) AS written`;

async function layOut(tx: Transaction, { since = "", until = "~", ...filter }: HubFilter): Promise<Layout> {
  const { where, values } = await compileHubFilter(tx, filter, 4);
  const tables = `WITH chosen AS MATERIALIZED (
      -- Numbered, since they are counted and compared more often than anything else.
      SELECT row_number() OVER (ORDER BY s.account_id, s.id) AS no, s.account_id, s.id, s.source, a.name AS person, s.models, s.turn_count AS turns,
             coalesce(s.updated_at, s.created_at, '') AS active,
             -- On GitHub case does not matter in a name, so the spellings of one are one place.
             first_value(coalesce(s.repository, s.cwd)) OVER (
               PARTITION BY CASE WHEN s.repository LIKE '%/%' AND s.repository NOT LIKE '%/%/%' THEN lower(s.repository)
                                 ELSE coalesce(s.repository, s.cwd) END
               ORDER BY s.repository COLLATE "C") AS place
        FROM hub.sessions s LEFT JOIN hub.accounts a ON a.account_id = s.account_id WHERE ${where}),
    dated AS MATERIALIZED (
      SELECT x.no, x.turn, x.at,
             CASE WHEN x.at ~ '^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T' THEN left(x.at, 10) END AS day
        FROM (SELECT c.no, t.turn_index AS turn, coalesce(t.timestamp, c.active) AS at
                FROM chosen c JOIN hub.turns t ON t.account_id = c.account_id AND t.session_id = c.id
               WHERE NOT ${isCopy("t.turn_index")}
              UNION ALL
              SELECT c.no, -1, c.active FROM chosen c WHERE NOT ${isCopy("0")}
              UNION ALL
              SELECT c.no, -2, c.active FROM chosen c WHERE c.turns > 0 AND c.turns = (
                SELECT count(*) FROM hub.turn_copies k WHERE k.account_id = c.account_id AND k.session_id = c.id)) x
       WHERE ${byBytes("x.at")} BETWEEN $1 AND $2),
    entries AS MATERIALIZED (
      SELECT c.no, c.source, c.place, c.person, e.day, sum(e.turns) AS turns, sum(e.calls) AS calls,
             sum(e.failed) AS failed, sum(e.model_calls) AS model_calls, sum(e.cached) AS cached,
             sum(e.output) AS output,
             sum(e.input + CASE WHEN c.source = ANY ($3) THEN e.cached + e.written ELSE 0 END) AS input
        FROM (SELECT d.no, d.day, (d.turn >= 0)::int AS turns, 0 AS calls, 0 AS failed, 0 AS model_calls,
                     0 AS input, 0 AS cached, 0 AS written, 0 AS output
                FROM dated d WHERE d.turn >= 0 OR d.turn = -2
                  OR d.no IN (SELECT no FROM chosen WHERE turns = 0)
              UNION ALL
              SELECT d.no, d.day, 0, 1, (k.status = 'failed')::int, 0, 0, 0, 0, 0
                FROM hub.tool_calls k ${datedBy("k")}
              UNION ALL
              SELECT d.no, d.day, 0, 0, 0, 1, u.input, u.cached, u.written, u.output
                FROM (SELECT u.account_id, u.session_id, u.turn_index, ${USED} FROM hub.assistant_usage_events u) u
                ${datedBy("u")}) e
        JOIN chosen c ON c.no = e.no GROUP BY 1, 2, 3, 4, 5),
    touched AS MATERIALIZED (
      SELECT c.no, c.source, c.place, c.person, d.day, d.at, f.file_path AS path,
             f.action <> 'read' AS changed
        FROM hub.session_files f ${datedBy("f")})`;
  return { tx, tables, values: [since, until, CACHE_APART, ...values] };
}

/** Several divisions by one question: what is laid out is laid out once. */
async function divide<D extends Division>(
  { tx, tables, values }: Layout,
  divisions: readonly D[],
): Promise<Record<D, Share[]>> {
  const parts = (table: string, what: string): string =>
    divisions
      .map((by, at) => `SELECT ${at} AS which, ${KEYS[by]} AS key, ${what} FROM ${table} GROUP BY 2`)
      .join(" UNION ALL ");
  const rows = await tx.query(
    `${tables} ${parts(
      "entries",
      `count(DISTINCT no) AS sessions, sum(turns) AS turns, sum(calls) AS calls, sum(failed) AS failed,
       sum(model_calls) AS model_calls, sum(input) AS input, sum(cached) AS cached, sum(output) AS output`,
    )} ORDER BY 1, 2 NULLS FIRST`,
    values,
  );
  const files = await tx.query(`${tables} ${parts("touched", "count(DISTINCT path) AS files")}`, values);
  const filesOf = new Map(files.map((row) => [`${row.which} ${row.key}`, Number(row.files)]));
  const found = divisions.map((by, at) => [
    by,
    rows
      .filter(({ which }) => which === at)
      .map((row) => toShare(row, filesOf.get(`${row.which} ${row.key}`) ?? 0)),
  ]);
  return Object.fromEntries(found) as Record<D, Share[]>;
}

const toShare = (row: Rows[number], files: number): Share => ({
  key: row.key === null ? null : String(row.key),
  sessions: Number(row.sessions),
  turns: Number(row.turns),
  toolCalls: Number(row.calls),
  failedCalls: Number(row.failed),
  files,
  modelCalls: Number(row.model_calls),
  inputTokens: Number(row.input),
  cachedTokens: Number(row.cached),
  outputTokens: Number(row.output),
});

/** Which spellings there are, and the one name of each: the rule for that is not one of SQL. */
async function spellings(
  { tx, tables, values }: Layout,
  query: string,
  nameOf: (spelling: string) => string,
): Promise<{ readonly spelled: string[]; readonly named: string[] }> {
  const rows = await tx.query(`${tables} SELECT DISTINCT name FROM (${query}) x`, values);
  const spelled = rows.map(({ name }) => String(name));
  return { spelled, named: spelled.map(nameOf) };
}

async function divideByModel(layout: Layout): Promise<ModelShare[]> {
  const { tx, tables, values } = layout;
  const used = `SELECT u.model AS name, c.no, 1 AS calls, u.cached, u.written, u.output,
      u.input + CASE WHEN c.source = ANY ($3) THEN u.cached + u.written ELSE 0 END AS input
    FROM (SELECT u.account_id, u.session_id, u.turn_index, u.model, ${USED} FROM hub.assistant_usage_events u) u
    ${datedBy("u")}
    UNION ALL
    -- Some sources name their models without counting calls: those sessions still count.
    SELECT m.name, c.no, 0, 0, 0, 0, 0
      FROM chosen c CROSS JOIN LATERAL jsonb_array_elements_text(c.models::jsonb) m(name)
     WHERE c.no IN (SELECT no FROM entries)`;
  const { spelled, named } = await spellings(layout, used, modelName);
  const n = values.length;
  const rows = await tx.query(
    `${tables} SELECT v.model, array_agg(DISTINCT x.name) AS names, count(DISTINCT x.no) AS sessions,
        sum(x.calls) AS calls, sum(x.input) AS input, sum(x.cached) AS cached, sum(x.written) AS written,
        sum(x.output) AS output
       FROM (${used}) x JOIN unnest($${n + 1}::text[], $${n + 2}::text[]) v(name, model) ON v.name = x.name
      GROUP BY 1 ORDER BY 3 DESC, 4 DESC, v.model COLLATE "C"`,
    [...values, spelled, named],
  );
  return rows.map((row) => ({
    model: String(row.model),
    names: (row.names as readonly string[]).toSorted(),
    sessions: Number(row.sessions),
    modelCalls: Number(row.calls),
    inputTokens: Number(row.input),
    cachedTokens: Number(row.cached),
    cacheWrittenTokens: Number(row.written),
    outputTokens: Number(row.output),
  }));
}

async function divideByTool(layout: Layout): Promise<ToolShare[]> {
  const { tx, tables, values } = layout;
  const called = `SELECT k.tool_name AS name, c.no, (k.status = 'failed')::int AS failed
    FROM hub.tool_calls k ${datedBy("k")}`;
  const { spelled, named } = await spellings(layout, called, toolKey);
  const n = values.length;
  const rows = await tx.query(
    `${tables}, called AS MATERIALIZED (SELECT v.tool, x.* FROM (${called}) x
        JOIN unnest($${n + 1}::text[], $${n + 2}::text[]) v(name, tool) ON v.name = x.name),
      counted AS (SELECT tool, name, count(*) AS calls FROM called GROUP BY 1, 2)
     SELECT (SELECT s.name FROM counted s WHERE s.tool = c.tool ORDER BY s.calls DESC, s.name COLLATE "C" LIMIT 1) AS spelling,
            array_agg(DISTINCT c.name) AS names, count(DISTINCT c.no) AS sessions, count(*) AS calls,
            sum(c.failed) AS failed
       FROM called c GROUP BY c.tool ORDER BY 4 DESC, 1`,
    [...values, spelled, named],
  );
  return rows.map((row) => ({
    tool: String(row.spelling),
    names: (row.names as readonly string[]).toSorted(),
    sessions: Number(row.sessions),
    toolCalls: Number(row.calls),
    failedCalls: Number(row.failed),
  }));
}

async function divideByFile({ tx, tables, values }: Layout): Promise<FileShare[]> {
  const rows = await tx.query(
    `${tables} SELECT path, count(DISTINCT no) AS sessions,
        count(DISTINCT CASE WHEN changed THEN no END) AS changed, max(${byBytes("at")}) AS last
       FROM touched GROUP BY 1 ORDER BY 2 DESC, 3 DESC, path COLLATE "C" LIMIT ${MOST_FILES}`,
    values,
  );
  return rows.map((row) => ({
    path: String(row.path),
    sessions: Number(row.sessions),
    changedIn: Number(row.changed),
    lastAt: String(row.last),
  }));
}

/** Nobody looks through more, and a team has millions. */
const MOST_FILES = 10_000;

function toSum(whole: readonly Share[], sources: readonly Share[]): StatsSum {
  const { key: _, ...totals }: Share = whole[0] ?? { key: null, ...(NOTHING as Measures) };
  const unmetered = sources.flatMap(({ key, inputTokens, outputTokens }) =>
    key !== null && inputTokens + outputTokens === 0 ? [key] : [],
  );
  return { totals, unmetered };
}

export const hubStats = (db: HubDatabase, who: Credentials, filter: HubFilter): Promise<HubStats> =>
  db.as(who, async (tx) => {
    await requireScope(tx, "read");
    const layout = await layOut(tx, filter);
    const parts = await divide(layout, ["whole", "day", "repository", "source", "person"]);
    return {
      ...toSum(parts.whole, parts.source),
      days: parts.day.filter(({ key }) => key !== null),
      repositories: parts.repository.sort(byTurns),
      sources: parts.source.toSorted(byTurns),
      people: parts.person.sort(byTurns),
      models: await divideByModel(layout),
      tools: await divideByTool(layout),
      files: await divideByFile(layout),
    };
  });

export const hubStatsBy = (
  db: HubDatabase,
  who: Credentials,
  filter: HubFilter,
  by: HubStatsBy,
  limit?: number,
): Promise<HubDividedStats> =>
  db.as(who, async (tx) => {
    await requireScope(tx, "read");
    const layout = await layOut(tx, filter);
    const own: readonly Division[] = by === "model" || by === "tool" || by === "file" ? [] : [by];
    const parts = await divide(layout, [...new Set<Division>(["whole", "source", ...own])]);
    const rows = await rowsBy(layout, by, parts);
    const shown = isPeriod(by) ? rows.slice(-(limit ?? rows.length)) : rows.slice(0, limit);
    return { by, ...toSum(parts.whole, parts.source), rows: shown, total: rows.length };
  });

async function rowsBy(
  layout: Layout,
  by: HubStatsBy,
  parts: Readonly<Partial<Record<Division, Share[]>>>,
): Promise<readonly StatsRow[]> {
  if (by === "model") return divideByModel(layout);
  if (by === "tool") return divideByTool(layout);
  if (by === "file") return divideByFile(layout);
  const shares = parts[by] ?? [];
  return isPeriod(by) ? withIdle(by, shares) : shares.toSorted(byTurns);
}
