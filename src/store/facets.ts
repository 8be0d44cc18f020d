/** Counts sessions by source, repository, branch, model, workspace and tag, under a filter. */
import { FACETS, type Facet, MOST_VALUES, type SessionFacets } from "../model/session/facets.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { addFilterFunctions, compileFilter, isCopy, type SessionFilter } from "./filter.ts";

/** The filter that each facet offers other values of; of tags, several are asked for at once, so they offer more. */
const OWN = {
  source: "sources",
  repository: "repository",
  branch: "branch",
  model: "model",
  workspace: "workspace",
} as const satisfies Record<Exclude<Facet, "tag">, keyof SessionFilter>;

const COLUMNS: Readonly<Record<Exclude<Facet, "model" | "tag">, string>> = {
  source: "source",
  repository: "repository",
  branch: "branch",
  workspace: "cwd",
};

type Counted = Facet | "problems" | "copies";

const countOf = (counted: Counted, table: string): string => {
  const rows = (of: string): string =>
    `SELECT * FROM (SELECT '${counted}' AS facet, value, n ${of} ORDER BY n DESC, value LIMIT ${MOST_VALUES})`;
  if (counted === "problems")
    return `SELECT 'problems', NULL, coalesce(sum(problem_count > 0), 0) FROM ${table}`;
  if (counted === "copies") return `SELECT 'copies', NULL, coalesce(sum(copy), 0) FROM ${table}`;
  // Few lists of models are different, so each is taken apart once.
  if (counted === "model")
    return rows(
      `FROM (SELECT value, sum(k) AS n FROM (SELECT models, count(*) AS k FROM ${table} GROUP BY models), json_each(models) GROUP BY value)`,
    );
  if (counted === "tag")
    return rows(
      `FROM (SELECT t.tag AS value, count(*) AS n FROM ${table} s JOIN session_tags t ON t.source = s.source AND t.session = s.vendor_id GROUP BY t.tag)`,
    );
  const column = COLUMNS[counted];
  return rows(
    `FROM (SELECT ${column} AS value, count(*) AS n FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${column})`,
  );
};

/** All of them by one query, in which the filter is asked once for each session, and once more for each facet that is filtered itself. */
export function countFacets(
  db: Database,
  filter: SessionFilter,
  /** What else sessions have to be like that fit a filter, such as to have hits. */
  narrowed: (filter: SessionFilter) => SessionFilter = (same) => same,
): SessionFacets {
  addFilterFunctions(db);
  const counted: readonly Counted[] = [...FACETS, "problems", "copies"];
  const ownOf = (each: Exclude<Counted, "tag">): keyof SessionFilter =>
    each === "problems" || each === "copies" ? each : OWN[each];
  const isFiltered = (each: Counted): each is Exclude<Counted, "tag"> =>
    each !== "tag" && filter[ownOf(each)] !== undefined;
  const tables = ["every", ...counted.filter(isFiltered).map((each) => `all_but_${each}`)];
  const compiled = [
    compileFilter(narrowed(filter)),
    ...counted.filter(isFiltered).map((each) => {
      const { [ownOf(each)]: _, ...others } = filter;
      return compileFilter(narrowed(others));
    }),
  ];
  const copy = isCopy(filter.recordedCopies);
  const query = `
    WITH ${tables
      .map(
        (table, at) => `${table} AS MATERIALIZED (
          SELECT source, vendor_id, repository, branch, cwd, models, problem_count, ${copy.where} AS copy
            FROM sessions s ${compiled[at]?.where ? `WHERE ${compiled[at].where}` : ""})`,
      )
      .join(", ")}
    ${counted.map((each) => countOf(each, isFiltered(each) ? `all_but_${each}` : "every")).join(" UNION ALL ")}`;
  const values = compiled.flatMap((each) => [...copy.values, ...each.values]);
  const rows = db.prepare(query).all(...values);
  const of = (facet: Counted) => rows.filter((row) => row.facet === facet);
  const valuesOf = (facet: Facet) =>
    of(facet).map(({ value, n }) => ({ value: String(value), count: Number(n) }));
  return {
    source: valuesOf("source"),
    repository: valuesOf("repository"),
    branch: valuesOf("branch"),
    model: valuesOf("model"),
    workspace: valuesOf("workspace"),
    tag: valuesOf("tag"),
    problems: Number(of("problems")[0]?.n),
    copies: Number(of("copies")[0]?.n),
  };
}
