/**
 * Search as functions of the owner. Below row-level security PostgreSQL uses no index for `@@`, which is not leakproof; so
 * these look past it, and each of them asks for itself what the policies ask: rows of the account, and those of its teams.
 */
import { isSpread, type Layout } from "../../layout.ts";
import { roleName } from "../../roles.ts";
import { definer } from "../0002-core.ts";

const APP = roleName("app");

/**
 * What the policy `sees` of a shared table says; $2 is `hub.me()`, $3 `hub.my_teams()`. Naming those whose rows these can
 * be (`people`) leaves the partitions of all others alone.
 */
const sees = (row: string, people: string): string =>
  `${row}.account_id = ANY (${people}) AND (${row}.account_id = $2 OR ${row}.team_id = ANY ($3))`;
export const PEOPLE = "array_append(hub.my_mates(), mine)";
const ASKER = `mine uuid := hub.me(); teams uuid[] := hub.my_teams(); people uuid[] := ${PEOPLE}`;

/** Only in these sessions: $4 and $5 are their accounts and ids. */
const among = (row: string, id: string): string =>
  `(${row}.account_id, ${row}.${id}) IN (SELECT a.account_id, a.id FROM asked a)`;

/** A turn that an earlier session has, too, is found there; unless the asker does not see that one. */
const isOriginal = (scope: string): string => `NOT EXISTS (
  SELECT 1 FROM hub.turn_copies c JOIN hub.sessions o ON o.account_id = c.account_id AND o.id = c.owner
   WHERE c.account_id = t.account_id AND c.session_id = t.session_id AND c.turn_index = t.turn_index
     AND c.account_id = ANY ($10) AND ${sees("o", "$10")} ${scope})`;

/** How often the wanted words stand in a row, weighed by where, and how many words there are. */
const COUNTED = `CROSS JOIN LATERAL (
  SELECT sum(cardinality(u.positions))::integer AS size,
         jsonb_object_agg(u.lexeme, (SELECT sum(CASE w WHEN 'A' THEN 1 WHEN 'B' THEN 0.4 ELSE 0.5 END) FROM unnest(u.weights) w))
           FILTER (WHERE u.lexeme = ANY ($8) OR u.lexeme LIKE ANY ($9)) AS hits
    FROM unnest(b.words) u) n`;

/** Fewer rows than this are all looked up in the index of words, and put in order; of more, the newest are found by time. */
const FEW = 5000;

interface Asked {
  readonly table: "turns" | "search_texts";
  /** Only some sessions are asked about. */
  readonly isScoped: boolean;
}

const withAsked = ({ isScoped }: Asked, ctes: readonly string[]): string => {
  const asked = "asked AS MATERIALIZED (SELECT u.a AS account_id, u.s AS id FROM unnest($4, $5) u(a, s))";
  const all = isScoped ? [asked, ...ctes] : ctes;
  return all.length === 0 ? "" : `WITH ${all.join(", ")}`;
};

/** Rows `t` in which a question is answered, as what follows `FROM`; it ends in a condition. */
type Standing = (table: Asked["table"], query: string) => string;

/**
 * PostgreSQL takes words with beginnings and many alternatives for common ones, and hopes to find enough rows early when
 * few are wanted; then it reads all rows for words that stand nowhere. So it is not told the words, and looks them up in
 * their index.
 */
const here: Standing = (table, query) =>
  `(SELECT ${query} AS query OFFSET 0) q CROSS JOIN hub.${table} t WHERE t.words @@ q.query`;

/** Other servers look up what they are told, and are not told how many rows are wanted. */
const elsewhere: Standing = (table, query) => `hub.${table} t WHERE t.words @@ ${query}`;

const scopeOf = ({ isScoped }: Asked): string => (isScoped ? `AND ${among("t", "session_id")}` : "");

/** Citus sends a condition that reads further tables to the nodes only where it stands beside the table that it is about. */
const onNodes: Standing = (table, query) => elsewhere(table, query);

/** The newest of those that match, and of these the best. */
const rowsOf = (standing: Standing, asked: Asked, order: "by words" | "by time"): string => {
  const { table, isScoped } = asked;
  const [columns, original, newest] =
    table === "turns"
      ? [
          "t.turn_index, 'turn'::text AS source_type, NULL::text AS source_id, NULL::text AS label, t.timestamp AS at",
          isOriginal(isScoped ? `AND ${among("o", "id")}` : ""),
          "ORDER BY t.at DESC",
        ]
      : ["NULL::integer AS turn_index, t.source_type, t.source_id, t.label, NULL::text AS at", "true", ""];
  const match = (order === "by words" ? standing : elsewhere)(table, "$1");
  const isFlat = standing === onNodes;
  const found = `SELECT t.account_id, t.session_id, ${columns}, t.words FROM ${match} AND ${sees("t", "$10")} ${scopeOf(asked)}
    ${isFlat ? `AND ${original}` : ""}`;
  const few = `few AS MATERIALIZED (${found})`;
  const isFew = order === "by words" && !isFlat;
  const from = isFew ? "few t" : `(${found}) t`;
  return `${withAsked(asked, isFew ? [few] : [])}
    SELECT b.account_id, b.session_id, b.turn_index, b.source_type, b.source_id, b.label, b.at, n.size, n.hits
      FROM (SELECT m.* FROM (SELECT t.* FROM ${from} WHERE ${isFlat ? "true" : original} ${newest} LIMIT $6) m
             ORDER BY ts_rank('{0, 0.5, 0.4, 1}', m.words, $1, 1) DESC LIMIT $7) b
      ${COUNTED}`;
};

const FOUND = `TABLE (account_id uuid, session_id text, turn_index integer, source_type text, source_id text, label text,
  at text, size integer, hits jsonb)`;

const USING = "USING wanted, mine, teams, accounts, sessions, weighed, kept, lexemes, beginnings, people";

/** Each statement is planned for the words that are asked for. */
const findAs = (standing: Standing, asked: Asked): string => `
      EXECUTE $ask$${withAsked(asked, [])} SELECT count(*) FROM (
          SELECT 1 FROM ${standing(asked.table, "$1")} AND ${sees("t", "$10")} ${scopeOf(asked)} LIMIT ${FEW}) c$ask$
        INTO n ${USING};
      IF n = 0 THEN RETURN; END IF;
      IF n < ${FEW} THEN RETURN QUERY EXECUTE $ask$${rowsOf(standing, asked, "by words")}$ask$ ${USING};
      ELSE
        PERFORM set_config('enable_indexscan', 'on', true);
        RETURN QUERY EXECUTE $ask$${rowsOf(standing, asked, "by time")}$ask$ ${USING};
      END IF;`;

const find = (standing: Standing, table: Asked["table"]): string => `
  DECLARE ${ASKER}; n bigint;
  BEGIN
    IF mine IS NULL THEN RETURN; END IF;
    IF accounts IS NULL THEN ${findAs(standing, { table, isScoped: false })}
    ELSE ${findAs(standing, { table, isScoped: true })}
    END IF;
  END`;

/** In how many rows each question is answered, counted up to \`most\`. */
const count = (standing: Standing): string => `
  DECLARE ${ASKER}; q text; n integer; all_of integer[] := '{}';
  BEGIN
    IF mine IS NULL THEN RETURN all_of; END IF;
    FOREACH q IN ARRAY queries LOOP
      EXECUTE $ask$SELECT count(*) FROM (
        (SELECT 1 FROM ${standing("turns", "$1")} AND ${sees("t", "$5")} LIMIT $4)
        UNION ALL (SELECT 1 FROM ${standing("search_texts", "$1")} AND ${sees("t", "$5")} LIMIT $4)) c$ask$
        INTO n USING q::tsquery, mine, teams, most, people;
      all_of := all_of || least(n, most);
    END LOOP;
    RETURN all_of;
  END`;

const SAMPLE = 2000;

/**
 * How many rows there are to search, and how many words one has; both by a sample. Who sees so much that the sample ends
 * before it sees about as much as there is.
 */
const MEASURE = `
  DECLARE ${ASKER}; sampled bigint;
  BEGIN
    rows := 0; average := 0;
    IF mine IS NULL THEN RETURN; END IF;
    EXECUTE $ask$SELECT coalesce(sum(x.turn_count), 0) + count(*), count(*) FROM (
      SELECT s.turn_count FROM hub.sessions s WHERE $1 AND ${sees("s", "$4")} LIMIT ${SAMPLE}) x$ask$
      INTO rows, sampled USING true, mine, teams, people;
    IF sampled = ${SAMPLE} THEN
      rows := greatest(rows, (SELECT sum(c.reltuples)::bigint FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'hub.turns'::regclass));
    END IF;
    EXECUTE $ask$SELECT coalesce(avg(n.size), 0) FROM (
        (SELECT t.words FROM hub.turns t WHERE $1 AND ${sees("t", "$4")} LIMIT 200)
        UNION ALL (SELECT t.words FROM hub.search_texts t WHERE $1 AND ${sees("t", "$4")} LIMIT 50)) x
      CROSS JOIN LATERAL (SELECT sum(cardinality(u.positions)) AS size FROM unnest(x.words) u) n$ask$
      INTO average USING true, mine, teams, people;
  END`;

const USING_WORDS = "USING wanted, mine, teams, most, slips, beginning, people";

/** Which of these words there are, each in how many rows. */
const SLIPS = `SELECT s.slip, n.docs FROM unnest($5::text[]) s(slip) CROSS JOIN LATERAL (SELECT count(*) AS docs FROM (
    (SELECT 1 FROM ${here("turns", "quote_literal(s.slip)::tsquery")} AND ${sees("t", "$7")} LIMIT $4)
    UNION ALL (SELECT 1 FROM ${here("search_texts", "quote_literal(s.slip)::tsquery")} AND ${sees("t", "$7")} LIMIT $4)) c) n
   WHERE n.docs > 0`;

/** Which of these words there are, or words that begin so, and in how many of the rows that were looked at. */
const amongSome = (standing: Standing): string => `SELECT u.lexeme, count(*) FROM (
    (SELECT t.words FROM ${standing("turns", "$1")} AND ${sees("t", "$7")} LIMIT $4)
    UNION ALL (SELECT t.words FROM ${standing("search_texts", "$1")} AND ${sees("t", "$7")} LIMIT $4)) x
    CROSS JOIN LATERAL unnest(x.words) u WHERE u.lexeme = ANY ($5) OR u.lexeme LIKE $6 GROUP BY 1`;

const words = (standing: Standing): string => `
  DECLARE ${ASKER};
  BEGIN
    IF mine IS NULL THEN RETURN; END IF;
    IF beginning = '' THEN RETURN QUERY EXECUTE $ask$${standing === here ? SLIPS : amongSome(standing)}$ask$ ${USING_WORDS};
    ELSE RETURN QUERY EXECUTE $ask$${amongSome(standing)}$ask$ ${USING_WORDS};
    END IF;
  END`;

const TAKES =
  "wanted tsquery, lexemes text[], beginnings text[], accounts uuid[], sessions text[], weighed integer, kept integer";

/**
 * Words are looked up in their index, which only bitmap scans can: with a limit, PostgreSQL hopes to find enough rows soon
 * and would walk through all of an account by its key. No question is worth compiling.
 */
const BY_INDEX = "SET enable_seqscan = off SET enable_indexscan = off SET jit = off";

const searching = (name: string, takes: string, returns: string, body: string): string[] =>
  definer({ name, takes, returns, body, stable: true, settings: BY_INDEX, for: APP });

/** Citus leaves no shard out where one account is an alternative; unless it does not see that it is. */
const forCitus = (statement: string): string =>
  statement.replaceAll(
    /\b(\w+)\.account_id = (\$2 OR \1\.team_id)/g,
    "$1.account_id IS NOT DISTINCT FROM $2",
  );

export function search(layout: Layout): readonly string[] {
  const statements = searchFunctions(layout);
  return layout.partitions === 0 ? statements.map(forCitus) : statements;
}

function searchFunctions(layout: Layout): readonly string[] {
  const standing = layout.partitions === 0 ? onNodes : isSpread(layout) ? elsewhere : here;
  return [
    ...searching("search_turns", TAKES, FOUND, find(standing, "turns")),
    ...searching("search_others", TAKES, FOUND, find(standing, "search_texts")),
    ...searching("search_counts", "queries text[], most integer", "integer[]", count(standing)),
    ...searching(
      "search_words",
      "wanted tsquery, slips text[], beginning text, most integer",
      "TABLE (word text, docs bigint)",
      words(standing),
    ),
    `CREATE FUNCTION hub.search_measure(OUT rows bigint, OUT average double precision) LANGUAGE plpgsql STABLE
     SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$${MEASURE}$body$`,
    "REVOKE ALL ON FUNCTION hub.search_measure() FROM PUBLIC",
    `GRANT EXECUTE ON FUNCTION hub.search_measure() TO ${APP}`,
  ];
}
