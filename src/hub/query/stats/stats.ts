/** Statistics over the sessions that somebody may see: the questions of the local store, in PostgreSQL's words. */
import { modelName } from "../../../model/values/model-name.ts";
import { toolKey } from "../../../model/values/tool-name.ts";
import {
  byTurns,
  isPeriod,
  NOTHING,
  type Stats,
  type StatsBy,
  type StatsRow,
  type StatsSum,
  withIdle,
} from "../../../query/stats.ts";
import type { FileShare, Measures, ModelShare, Share, ToolShare } from "../../../store/stats/stats.ts";
import type { HubDatabase, Rows } from "../../database/connect.ts";
import type { Credentials } from "../../database/credentials.ts";
import { requireScope } from "../../ingest/access.ts";
import { byBytes, type HubFilter } from "../filter.ts";
import { askReachable, type Reached } from "../reachable.ts";
import { type Layout, layOut, type StatsOptions } from "./layout.ts";

export type HubStatsBy = StatsBy | "person";

export interface HubStats extends Stats, Reached {
  readonly people: readonly Share[];
}

export interface HubDividedStats extends StatsSum, Reached {
  readonly by: HubStatsBy;
  readonly rows: readonly StatsRow[];
  readonly total: number;
}

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

/** A question about what is laid out, and what a row of its answer is. */
interface Part<T> {
  readonly sql: string;
  read(row: Rows[number]): T;
}

type Answers<P> = { readonly [K in keyof P]: P[K] extends Part<infer T> ? T[] : never };

/** Asks several questions by one statement, since laying out takes longer than most of them. */
async function ask<P extends Readonly<Record<string, Part<unknown>>>>(
  { tx, tables, values }: Layout,
  parts: P,
): Promise<Answers<P>> {
  const asked = Object.entries(parts);
  const rows = await tx.query(
    `${tables} ${asked
      .map(([, { sql }], at) => `SELECT ${at} AS part, json_agg(p) AS rows FROM (${sql}) p`)
      .join(" UNION ALL ")}`,
    values,
  );
  const found = new Map(rows.map((row) => [row.part, (row.rows ?? []) as unknown as Rows]));
  return Object.fromEntries(
    asked.map(([name, { read }], at) => [name, (found.get(at) ?? []).map((row) => read(row))]),
  ) as Answers<P>;
}

type Counted = Omit<Share, "files">;

const countsBy = (by: Division): Part<Counted> => ({
  sql: `SELECT ${KEYS[by]} AS key, count(DISTINCT no) AS sessions, sum(turns) AS turns, sum(calls) AS calls,
      sum(failed) AS failed, sum(model_calls) AS model_calls, sum(input) AS input, sum(cached) AS cached,
      sum(output) AS output
    FROM entries GROUP BY 1 ORDER BY 1 NULLS FIRST`,
  read: (row) => ({
    key: keyOf(row),
    sessions: Number(row.sessions),
    turns: Number(row.turns),
    toolCalls: Number(row.calls),
    failedCalls: Number(row.failed),
    modelCalls: Number(row.model_calls),
    inputTokens: Number(row.input),
    cachedTokens: Number(row.cached),
    outputTokens: Number(row.output),
  }),
});

const filesBy = (by: Division): Part<readonly [string | null, number]> => ({
  sql: `SELECT key, count(*) AS files FROM (SELECT DISTINCT ${KEYS[by]} AS key, file FROM touched) t GROUP BY 1`,
  read: (row) => [keyOf(row), Number(row.files)],
});

const keyOf = ({ key }: Rows[number]): string | null => (typeof key === "string" ? key : null);

const toShares = (
  counts: readonly Counted[],
  files: readonly (readonly [string | null, number])[],
): Share[] => {
  const filesOf = new Map(files);
  return counts.map((each) => ({ ...each, files: filesOf.get(each.key) ?? 0 }));
};

/**
 * The one name of each spelling, as a table of both: the rule for that is not one of SQL. All spellings that one may see
 * are named, which is sooner known than those that were chosen.
 */
async function withNames(
  layout: Layout,
  {
    table,
    query,
    nameOf,
  }: {
    table: string;
    query: (here: (row: string) => string) => string;
    nameOf: (spelling: string) => string;
  },
): Promise<Layout> {
  const { tx, tables, values, accounts } = layout;
  const here = (row: string): string => (accounts ? `${row}.account_id = ANY ($1::uuid[])` : "true");
  const rows = await tx.query(`SELECT DISTINCT name FROM (${query(here)}) x`, accounts ? [accounts] : []);
  const spelled = rows.map(({ name }) => String(name));
  const n = values.length;
  return {
    ...layout,
    tables: `${tables}, ${table} AS MATERIALIZED (SELECT * FROM unnest($${n + 1}::text[], $${n + 2}::text[]) v(name, one))`,
    values: [...values, spelled, spelled.map(nameOf)],
  };
}

const withModels = (layout: Layout): Promise<Layout> =>
  withNames(layout, {
    table: "model_names",
    query: (here) => `SELECT unnest(r.models) AS name FROM hub.daily_stats r WHERE ${here("r")} UNION ALL
      SELECT jsonb_array_elements_text(x.models::jsonb)
        FROM (SELECT DISTINCT s.models FROM hub.sessions s WHERE ${here("s")}) x`,
    nameOf: modelName,
  });

const withTools = (layout: Layout): Promise<Layout> =>
  withNames(layout, {
    table: "tool_names",
    query: (here) => `SELECT unnest(r.tools) AS name FROM hub.daily_stats r WHERE ${here("r")}`,
    nameOf: toolKey,
  });

/** Needs `withModels`. */
const MODELS: Part<ModelShare> = {
  sql: `SELECT u.model, n.names, u.sessions, u.calls, u.input, u.cached, u.written, u.output
     FROM (SELECT one AS model, count(*) AS sessions, sum(calls) AS calls, sum(input) AS input, sum(cached) AS cached,
                  sum(written) AS written, sum(output) AS output
             FROM (SELECT v.one, x.no, sum(x.calls) AS calls, sum(x.input) AS input, sum(x.cached) AS cached,
                          sum(x.written) AS written, sum(x.output) AS output
                     FROM used x JOIN model_names v ON v.name = x.name GROUP BY 1, 2) s GROUP BY 1) u
     JOIN (SELECT v.one, array_agg(v.name) AS names FROM model_names v
            WHERE v.name IN (SELECT x.name FROM used x) GROUP BY 1) n ON n.one = u.model
    ORDER BY 3 DESC, 4 DESC, u.model COLLATE "C"`,
  read: (row) => ({
    model: String(row.model),
    names: (row.names as readonly string[]).toSorted(),
    sessions: Number(row.sessions),
    modelCalls: Number(row.calls),
    inputTokens: Number(row.input),
    cachedTokens: Number(row.cached),
    cacheWrittenTokens: Number(row.written),
    outputTokens: Number(row.output),
  }),
};

/** Needs `withTools`. A tool is called as it is most often spelled. */
const TOOLS: Part<ToolShare> = {
  sql: `SELECT n.names[1] AS spelling, n.names, u.sessions, u.calls, u.failed
     FROM (SELECT one, count(*) AS sessions, sum(calls) AS calls, sum(failed) AS failed
             FROM (SELECT v.one, x.no, sum(x.calls) AS calls, sum(x.failed) AS failed
                     FROM called x JOIN tool_names v ON v.name = x.name GROUP BY 1, 2) s GROUP BY 1) u
     JOIN (SELECT v.one, array_agg(v.name ORDER BY c.calls DESC, v.name COLLATE "C") AS names
             FROM tool_names v JOIN (SELECT name, sum(calls) AS calls FROM called GROUP BY 1) c ON c.name = v.name
            GROUP BY 1) n ON n.one = u.one
    ORDER BY 4 DESC, 1`,
  read: (row) => ({
    tool: String(row.spelling),
    names: (row.names as readonly string[]).toSorted(),
    sessions: Number(row.sessions),
    toolCalls: Number(row.calls),
    failedCalls: Number(row.failed),
  }),
};

/** Nobody looks through more, and a team has millions. */
const MOST_FILES = 10_000;

const FILES: Part<FileShare> = {
  sql: `SELECT path, count(*) AS sessions, count(*) FILTER (WHERE is_changed) AS changed, max(${byBytes("at")}) AS last
     FROM files GROUP BY 1 ORDER BY 2 DESC, 3 DESC, path COLLATE "C" LIMIT ${MOST_FILES}`,
  read: (row) => ({
    path: String(row.path),
    sessions: Number(row.sessions),
    changedIn: Number(row.changed),
    lastAt: String(row.last),
  }),
};

/** A session has one source, so the sum over sources is that of all. Files are counted as a whole. */
function toSum(sources: readonly Counted[], files: readonly (readonly [string | null, number])[]): StatsSum {
  const totals: Record<keyof Measures, number> = { ...(NOTHING as Measures), files: files[0]?.[1] ?? 0 };
  for (const { key: _, ...counts } of sources)
    for (const [name, count] of Object.entries(counts)) totals[name as keyof typeof counts] += count;
  const unmetered = sources.flatMap(({ key, inputTokens, outputTokens }) =>
    key !== null && inputTokens + outputTokens === 0 ? [key] : [],
  );
  return { totals, unmetered };
}

export const hubStats = (
  db: HubDatabase,
  who: Credentials,
  wished: HubFilter,
  options: StatsOptions = {},
): Promise<HubStats> =>
  askReachable(db, who, wished, (filter) =>
    db.as(who, async (tx) => {
      await requireScope(tx, "read");
      const layout = await withTools(await withModels(await layOut(tx, filter, options)));
      const found = await ask(layout, {
        ...{
          wholeFiles: filesBy("whole"),
          days: countsBy("day"),
          dayFiles: filesBy("day"),
        },
        ...{ places: countsBy("repository"), placeFiles: filesBy("repository") },
        ...{ sources: countsBy("source"), sourceFiles: filesBy("source") },
        ...{ people: countsBy("person"), personFiles: filesBy("person") },
        ...{ models: MODELS, tools: TOOLS, files: FILES },
      });
      return {
        ...toSum(found.sources, found.wholeFiles),
        days: toShares(found.days, found.dayFiles).filter(({ key }) => key !== null),
        repositories: toShares(found.places, found.placeFiles).sort(byTurns),
        sources: toShares(found.sources, found.sourceFiles).sort(byTurns),
        people: toShares(found.people, found.personFiles).sort(byTurns),
        ...{ models: found.models, tools: found.tools, files: found.files },
      };
    }),
  );

export const hubStatsBy = (
  db: HubDatabase,
  who: Credentials,
  wished: HubFilter,
  by: HubStatsBy,
  limit?: number,
): Promise<HubDividedStats> =>
  askReachable(db, who, wished, (filter) =>
    db.as(who, async (tx) => {
      await requireScope(tx, "read");
      const { rows, ...sum } = await divide(await layOut(tx, filter), by);
      const shown = isPeriod(by) ? rows.slice(-(limit ?? rows.length)) : rows.slice(0, limit);
      return { by, ...sum, rows: shown, total: rows.length };
    }),
  );

/** Of each key the files that were touched, from which all that counts files here is answered. */
const withFiles = (layout: Layout, by: Division): Layout => ({
  ...layout,
  tables: `${layout.tables}, pairs AS MATERIALIZED (SELECT DISTINCT ${KEYS[by]} AS key, file FROM touched)`,
});

const SUM = {
  wholeFiles: { ...filesBy("whole"), sql: "SELECT '' AS key, count(DISTINCT file) AS files FROM pairs" },
  sources: countsBy("source"),
};
const PAIRS = { ...filesBy("whole"), sql: "SELECT key, count(*) AS files FROM pairs GROUP BY 1" };

const summed = <T extends StatsRow>(found: Answers<typeof SUM>, rows: readonly T[]) => ({
  ...toSum(found.sources, found.wholeFiles),
  rows,
});

/** What is asked for, and the sum of it all. */
async function divide(
  layout: Layout,
  by: HubStatsBy,
): Promise<StatsSum & { readonly rows: readonly StatsRow[] }> {
  if (by === "model" || by === "tool" || by === "file") {
    const plain = withFiles(layout, "whole");
    const named = by === "model" ? await withModels(plain) : by === "tool" ? await withTools(plain) : plain;
    const rows: Part<StatsRow> = by === "model" ? MODELS : by === "tool" ? TOOLS : FILES;
    const found = await ask(named, { ...SUM, rows });
    return summed(found, found.rows);
  }
  const found = await ask(withFiles(layout, by), { ...SUM, counts: countsBy(by), files: PAIRS });
  const shares = toShares(found.counts, found.files);
  return summed(found, isPeriod(by) ? withIdle(by, shares) : shares.sort(byTurns));
}
