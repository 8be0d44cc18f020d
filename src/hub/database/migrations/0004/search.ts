/**
 * Search as functions of the owner. Below row-level security PostgreSQL uses no index for `@@`, which is not leakproof; so
 * these look past it, and each of them asks for itself what the policies ask: rows of the account, and those of its teams.
 */
import { roleName } from "../../roles.ts";
import { definer } from "../0002-core.ts";

const APP = roleName("app");

/** What the policy `sees` of a shared table says; $2 is `hub.me()`, $3 `hub.my_teams()`. */
const sees = (row: string): string => `(${row}.account_id = $2 OR ${row}.team_id = ANY ($3))`;

/** Only in these sessions: $4 and $5 are their accounts and ids. */
const among = (row: string, id: string): string =>
  `(${row}.account_id, ${row}.${id}) IN (SELECT a.account_id, a.id FROM asked a)`;

/** A turn that an earlier session has, too, is found there; unless the asker does not see that one. */
const isOriginal = (scope: string): string => `NOT EXISTS (
  SELECT 1 FROM hub.turn_copies c JOIN hub.sessions o ON o.account_id = c.account_id AND o.id = c.owner
   WHERE c.account_id = t.account_id AND c.session_id = t.session_id AND c.turn_index = t.turn_index
     AND ${sees("o")} ${scope})`;

/** How often the wanted words stand in a row, weighed by where, and how many words there are. */
const COUNTED = `CROSS JOIN LATERAL (
  SELECT sum(cardinality(u.positions))::integer AS size,
         jsonb_object_agg(u.lexeme, (SELECT sum(CASE w WHEN 'A' THEN 1 WHEN 'B' THEN 0.4 ELSE 0.5 END) FROM unnest(u.weights) w))
           FILTER (WHERE u.lexeme = ANY ($8) OR u.lexeme LIKE ANY ($9)) AS hits
    FROM unnest(b.words) u) n`;

/** The newest of those that match, and of these the best. */
const rowsOf = (table: "turns" | "search_texts", isScoped: boolean): string => {
  const asked = isScoped
    ? "WITH asked AS MATERIALIZED (SELECT u.a AS account_id, u.s AS id FROM unnest($4, $5) u(a, s))"
    : "";
  const scope = isScoped ? `AND ${among("t", "session_id")}` : "";
  const columns =
    table === "turns"
      ? "t.turn_index, 'turn'::text AS source_type, NULL::text AS source_id, NULL::text AS label, t.timestamp AS at"
      : "NULL::integer AS turn_index, t.source_type, t.source_id, t.label, NULL::text AS at";
  const original = table === "turns" ? `AND ${isOriginal(isScoped ? `AND ${among("o", "id")}` : "")}` : "";
  return `${asked}
    SELECT b.account_id, b.session_id, b.turn_index, b.source_type, b.source_id, b.label, b.at, n.size, n.hits
      FROM (SELECT m.* FROM (
              SELECT t.account_id, t.session_id, ${columns}, t.words FROM hub.${table} t
               WHERE t.words @@ $1 AND ${sees("t")} ${scope} ${original}
               ${table === "turns" ? "ORDER BY t.timestamp DESC" : ""} LIMIT $6) m
             ORDER BY ts_rank('{0, 0.5, 0.4, 1}', m.words, $1, 1) DESC LIMIT $7) b
      ${COUNTED}`;
};

const FOUND = `TABLE (account_id uuid, session_id text, turn_index integer, source_type text, source_id text, label text,
  at text, size integer, hits jsonb)`;

/** More rows than this have a common word. */
const COMMON = 5000;

/**
 * With a limit, PostgreSQL expects to find enough rows soon and would rather look through a table than ask the index of
 * words, which takes seconds where there are none. So only that index may be used, unless many rows are known to match:
 * then the newest are found by time.
 */
const find = (table: "turns" | "search_texts"): string => `
  DECLARE mine uuid := hub.me(); teams uuid[] := hub.my_teams(); n integer;
  BEGIN
    IF mine IS NULL THEN RETURN; END IF;
    EXECUTE $ask$SELECT count(*) FROM (SELECT 1 FROM hub.${table} t WHERE t.words @@ $1 AND ${sees("t")} LIMIT ${COMMON}) c$ask$
      INTO n USING wanted, mine, teams;
    IF n = 0 THEN RETURN; END IF;
    IF n >= ${COMMON} THEN PERFORM set_config('enable_indexscan', 'on', true); END IF;
    IF accounts IS NULL THEN
      RETURN QUERY EXECUTE $ask$${rowsOf(table, false)}$ask$
        USING wanted, mine, teams, accounts, sessions, weighed, kept, lexemes, beginnings;
    ELSE
      RETURN QUERY EXECUTE $ask$${rowsOf(table, true)}$ask$
        USING wanted, mine, teams, accounts, sessions, weighed, kept, lexemes, beginnings;
    END IF;
  END`;

/** In how many rows each question is answered, counted up to \`most\`. */
const COUNT = `
  DECLARE mine uuid := hub.me(); teams uuid[] := hub.my_teams(); q text; n integer; all_of integer[] := '{}';
  BEGIN
    IF mine IS NULL THEN RETURN all_of; END IF;
    FOREACH q IN ARRAY queries LOOP
      EXECUTE $ask$SELECT count(*) FROM (
        (SELECT 1 FROM hub.turns t WHERE t.words @@ $1 AND ${sees("t")} LIMIT $4)
        UNION ALL (SELECT 1 FROM hub.search_texts t WHERE t.words @@ $1 AND ${sees("t")} LIMIT $4)) c$ask$
        INTO n USING q::tsquery, mine, teams, most;
      all_of := all_of || least(n, most);
    END LOOP;
    RETURN all_of;
  END`;

/** How many rows there are to search, and how many words one has; both by a sample. */
const MEASURE = `
  DECLARE mine uuid := hub.me(); teams uuid[] := hub.my_teams();
  BEGIN
    rows := 0; average := 0;
    IF mine IS NULL THEN RETURN; END IF;
    EXECUTE $ask$SELECT coalesce(sum(x.turn_count), 0) + count(*) FROM (
      SELECT s.turn_count FROM hub.sessions s WHERE $1 AND ${sees("s")} LIMIT 20000) x$ask$
      INTO rows USING true, mine, teams;
    EXECUTE $ask$SELECT coalesce(avg(n.size), 0) FROM (
        (SELECT t.words FROM hub.turns t WHERE $1 AND ${sees("t")} LIMIT 200)
        UNION ALL (SELECT t.words FROM hub.search_texts t WHERE $1 AND ${sees("t")} LIMIT 50)) x
      CROSS JOIN LATERAL (SELECT sum(cardinality(u.positions)) AS size FROM unnest(x.words) u) n$ask$
      INTO average USING true, mine, teams;
  END`;

/** Which of these words there are, or words that begin so, and in how many of the rows that were looked at. */
const WORDS = `
  DECLARE mine uuid := hub.me(); teams uuid[] := hub.my_teams();
  BEGIN
    IF mine IS NULL THEN RETURN; END IF;
    RETURN QUERY EXECUTE $ask$
      SELECT u.lexeme, count(*) FROM (
        (SELECT t.words FROM hub.turns t WHERE t.words @@ $1 AND ${sees("t")} LIMIT $4)
        UNION ALL (SELECT t.words FROM hub.search_texts t WHERE t.words @@ $1 AND ${sees("t")} LIMIT $4)) x
        CROSS JOIN LATERAL unnest(x.words) u
       WHERE u.lexeme = ANY ($5) OR u.lexeme LIKE $6 GROUP BY 1$ask$
      USING wanted, mine, teams, most, slips, beginning;
  END`;

const TAKES =
  "wanted tsquery, lexemes text[], beginnings text[], accounts uuid[], sessions text[], weighed integer, kept integer";

export const SEARCH: readonly string[] = [
  ...definer({
    name: "search_turns",
    takes: TAKES,
    returns: FOUND,
    body: find("turns"),
    stable: true,
    for: APP,
  }),
  ...definer({
    ...{ name: "search_others", takes: TAKES, returns: FOUND, body: find("search_texts") },
    ...{ stable: true, for: APP },
  }),
  ...definer({
    ...{ name: "search_counts", takes: "queries text[], most integer", returns: "integer[]", body: COUNT },
    ...{ stable: true, for: APP },
  }),
  ...definer({
    name: "search_words",
    takes: "wanted tsquery, slips text[], beginning text, most integer",
    returns: "TABLE (word text, docs bigint)",
    body: WORDS,
    stable: true,
    for: APP,
  }),
  ...["search_turns", "search_others", "search_counts", "search_words"].flatMap((name) =>
    ["enable_seqscan", "enable_indexscan"].map((how) => `ALTER FUNCTION hub.${name} SET ${how} = off`),
  ),
  `CREATE FUNCTION hub.search_measure(OUT rows bigint, OUT average double precision) LANGUAGE plpgsql STABLE
     SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$${MEASURE}$body$`,
  "REVOKE ALL ON FUNCTION hub.search_measure() FROM PUBLIC",
  `GRANT EXECUTE ON FUNCTION hub.search_measure() TO ${APP}`,
];
