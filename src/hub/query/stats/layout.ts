/**
 * What statistics are asked about, laid out as `store/stats/scope.ts` does it. Counts come from `daily_stats`; only sessions
 * that have something on the day on which a range begins or ends are read turn by turn.
 */
import type { Transaction } from "../../database/connect.ts";
import { activeOf, dayOf, fileHash } from "../../database/migrations/0007/day-counts.ts";
import { HUB_SOURCES } from "../../derive/raw-home.ts";
import { byBytes, compileHubFilter, type HubFilter } from "../filter.ts";

/**
 * `tables` begins each question, with these: `chosen` sessions, `entries` by session and day, model calls (`used`), tool
 * calls (`called`), `touched` files by day, and the paths of these (`files`).
 */
export interface Layout {
  readonly tx: Transaction;
  readonly tables: string;
  readonly values: readonly unknown[];
  /** Only these accounts are asked about; all, without them. */
  readonly accounts?: readonly string[];
}

export interface StatsOptions {
  /** Reads every turn instead of the counts by day; the answer is the same, and takes long. */
  readonly isDetailed?: boolean;
}

/** Sources that count tokens of the prompt cache apart from the input. */
const CACHE_APART = HUB_SOURCES.sources.flatMap((each) => (each.countsCacheApart ? [each.source] : []));

/** Hundreds of thousands of small rows are added up: in memory, and faster than a compiler would start. */
const SETTINGS = "SELECT set_config('work_mem', '128MB', true), set_config('jit', 'off', true)";

/** All times of a day lie between these, whatever follows the `T`. */
const isWithin = `${byBytes("r.day || 'T'")} >= $1 AND ${byBytes("r.day || 'U'")} <= $2`;
const isOutside = `${byBytes("r.day || 'U'")} <= $1 OR ${byBytes("r.day || 'T'")} > $2`;

const inRange = (time: string): string => `${byBytes(time)} BETWEEN $1 AND $2`;

export async function layOut(
  tx: Transaction,
  { since, until, accounts, ...filter }: HubFilter,
  { isDetailed = false }: StatsOptions = {},
): Promise<Layout> {
  await tx.query(SETTINGS);
  const range = [since ?? "", until ?? "~"];
  const isRange = since !== undefined || until !== undefined;
  const near = isDetailed || isRange ? await findNear(tx, { range, accounts, isDetailed }) : [];
  const { where, values } = await compileHubFilter(tx, { ...filter, ...(accounts && { accounts }) }, 6);
  // The accounts are the first value of the filter.
  const here: Here = (row) => (accounts ? `${row}.account_id = ANY ($6::uuid[])` : "true");
  const nearAccounts = near.map(({ account_id: account }) => account);
  const tables = [
    chosen(where),
    ...shared(here),
    days(here, isRange ? isWithin : "true", near.length > 0),
    ...(near.length > 0 ? details(here) : []),
    ...counts(here, near.length > 0),
  ];
  return {
    tx,
    tables: `WITH ${tables.join(",\n")}`,
    ...(accounts && { accounts }),
    values: [...range, CACHE_APART, nearAccounts, near.map(({ id }) => id), ...values],
  };
}

/** A condition on the rows of each table: a join alone leaves all servers to be asked. */
type Here = (row: string) => string;

/** Sessions that have something on a day which is only in part of the range, or on no day. */
function findNear(
  tx: Transaction,
  {
    range,
    accounts,
    isDetailed,
  }: {
    readonly range: readonly string[];
    readonly accounts: readonly string[] | undefined;
    readonly isDetailed: boolean;
  },
) {
  if (isDetailed) return tx.query("SELECT s.account_id, s.id FROM hub.sessions s");
  const isBorder = `r.day = '' OR NOT (${isWithin}) AND NOT (${isOutside})`;
  return tx.query(
    `SELECT DISTINCT r.account_id, r.session_id AS id FROM hub.daily_stats r
      WHERE (${isBorder}) ${accounts ? "AND r.account_id = ANY ($3::uuid[])" : ""}`,
    [...range, ...(accounts ? [accounts] : [])],
  );
}

/** On GitHub case does not matter in a name, so the spellings of one are one place. */
const PLACE = `CASE WHEN s.repository LIKE '%/%' AND s.repository NOT LIKE '%/%/%' THEN lower(s.repository)
  ELSE coalesce(s.repository, s.cwd) END`;

/** Numbered, since they are counted and compared more often than anything else. */
const chosen = (where: string): string => `found AS MATERIALIZED (
    SELECT row_number() OVER () AS no, s.account_id, s.id, s.source, s.models, s.turn_count AS turns,
           ${activeOf("s")} AS active, s.repository, ${PLACE} AS place
      FROM hub.sessions s WHERE ${where}),
  places AS (
    SELECT f.place, coalesce(min(${byBytes("f.repository")}), f.place) COLLATE "default" AS name
      FROM found f WHERE f.place IS NOT NULL GROUP BY 1),
  chosen AS MATERIALIZED (
    SELECT f.no, f.account_id, f.id, f.source, f.models, f.turns, f.active, p.name AS place, a.name AS person
      FROM found f LEFT JOIN places p ON p.place = f.place LEFT JOIN hub.accounts a ON a.account_id = f.account_id)`;

const shared = (here: Here): readonly string[] => [
  // A turn that an earlier session has, too, counts there; unless the asker does not see that one.
  `owners AS MATERIALIZED (
    SELECT o.account_id, o.id FROM (SELECT DISTINCT t.account_id, t.owner FROM hub.turn_copies t WHERE ${here("t")}) k
      JOIN hub.sessions o ON o.account_id = k.account_id AND o.id = k.owner WHERE ${here("o")})`,
  `copies AS MATERIALIZED (
    SELECT c.no, k.turn_index AS turn FROM hub.turn_copies k
      JOIN owners o ON o.account_id = k.account_id AND o.id = k.owner
      JOIN chosen c ON c.account_id = k.account_id AND c.id = k.session_id WHERE ${here("k")})`,
  `near AS MATERIALIZED (
    SELECT c.no, c.account_id, c.id, c.turns, c.active FROM unnest($4::uuid[], $5::text[]) n(account_id, id)
      JOIN chosen c ON c.account_id = n.account_id AND c.id = n.id)`,
];

const days = (here: Here, range: string, isNear: boolean): string => `days AS NOT MATERIALIZED (
    SELECT c.no, c.source, nullif(r.day, '') AS day, r.is_active, r.turns, r.calls, r.failed, r.model_calls, r.input, r.cached,
           r.written, r.output, r.tools, r.tool_calls, r.tool_failures, r.models, r.uses, r.model_input, r.model_cached,
           r.model_written, r.model_output, r.files
      FROM hub.daily_stats r JOIN chosen c ON c.account_id = r.account_id AND c.id = r.session_id
     WHERE ${here("r")} AND (r.account_id, r.owner) NOT IN (SELECT o.account_id, o.id FROM owners o) AND ${range}
       ${isNear ? "AND c.no NOT IN (SELECT n.no FROM near n)" : ""})`;

/** By a hash in any case: PostgreSQL takes these for few, and would compare each row with each of them. */
const isNoCopy = (session: string, turn: string): string =>
  `(${session}.no, ${turn}) NOT IN (SELECT k.no, k.turn FROM copies k)`;

/** Joins rows that name a session and a turn with the session and the day `d`. */
const datedBy = (row: string): string =>
  `near n JOIN hub.${row} x ON x.account_id = n.account_id AND x.session_id = n.id
   JOIN dated d ON d.no = n.no AND d.turn = coalesce(x.turn_index, -1)`;

const details = (here: Here): readonly string[] => [
  `dated AS MATERIALIZED (
    SELECT x.no, x.turn, ${dayOf("x.at")} AS day
      FROM (SELECT n.no, t.turn_index AS turn, coalesce(t.timestamp, n.active) AS at
              FROM near n JOIN hub.turns t ON t.account_id = n.account_id AND t.session_id = n.id
             WHERE ${here("t")} AND ${isNoCopy("n", "t.turn_index")}
            UNION ALL
            SELECT n.no, -1, n.active FROM near n WHERE ${isNoCopy("n", "0")}
            UNION ALL
            SELECT n.no, -2, n.active FROM near n JOIN (
              SELECT k.account_id, k.session_id, count(*) AS copies
                FROM hub.turn_copies k JOIN near m ON m.account_id = k.account_id AND m.id = k.session_id
               WHERE ${here("k")} GROUP BY 1, 2) w
              ON w.account_id = n.account_id AND w.session_id = n.id AND w.copies = n.turns) x
     WHERE ${inRange("x.at")})`,
  `called_near AS MATERIALIZED (
    SELECT d.no, d.day, x.tool_name AS name, count(*) AS calls, count(*) FILTER (WHERE x.status = 'failed') AS failed
      FROM ${datedBy("tool_calls")} WHERE ${here("x")} GROUP BY 1, 2, 3)`,
  `used_near AS MATERIALIZED (
    SELECT d.no, d.day, x.model AS name, count(*) AS calls, coalesce(sum(x.input_tokens), 0) AS input,
           coalesce(sum(x.cache_read_tokens), 0) AS cached, coalesce(sum(x.cache_write_tokens), 0) AS written,
           coalesce(sum(x.output_tokens), 0) AS output
      FROM ${datedBy("assistant_usage_events")} WHERE ${here("x")} GROUP BY 1, 2, 3)`,
];

const NEAR_ENTRIES = `
      UNION ALL
      SELECT d.no, d.day, (d.turn >= 0)::int, 0, 0, 0, 0, 0, 0, 0 FROM dated d WHERE d.turn <> -1
      UNION ALL
      SELECT k.no, k.day, 0, k.calls, k.failed, 0, 0, 0, 0, 0 FROM called_near k
      UNION ALL
      SELECT u.no, u.day, 0, 0, 0, u.calls, u.input, u.cached, u.written, u.output FROM used_near u`;

const withCache = (row: string): string =>
  `${row}.input + CASE WHEN c.source = ANY ($3) THEN ${row}.cached + ${row}.written ELSE 0 END`;

const counts = (here: Here, isNear: boolean): readonly string[] => [
  // A session may have several on a day.
  `entries AS MATERIALIZED (
    SELECT c.no, c.source, c.place, c.person, e.day, e.turns, e.calls, e.failed, e.model_calls, e.cached, e.output,
           ${withCache("e")} AS input
      FROM (SELECT d.no, d.day, d.turns, d.calls, d.failed, d.model_calls, d.input, d.cached, d.written, d.output
              FROM days d WHERE d.is_active
            UNION ALL
            -- What has no turns yet, or is sealed, still is a session.
            SELECT c.no, ${dayOf("c.active")}, 0, 0, 0, 0, 0, 0, 0, 0 FROM chosen c
             WHERE c.turns = 0 AND ${inRange("c.active")} AND ${isNoCopy("c", "0")}${isNear ? NEAR_ENTRIES : ""}) e
      JOIN chosen c ON c.no = e.no)`,
  `used AS MATERIALIZED (
    SELECT u.name, u.no, u.calls, u.cached, u.written, u.output, ${withCache("u")} AS input
      FROM (SELECT m.name, d.no, m.calls, m.input, m.cached, m.written, m.output
              FROM days d CROSS JOIN LATERAL unnest(d.models, d.uses, d.model_input, d.model_cached, d.model_written,
                d.model_output) m(name, calls, input, cached, written, output)
            ${isNear ? "UNION ALL SELECT u.name, u.no, u.calls, u.input, u.cached, u.written, u.output FROM used_near u" : ""}) u
      JOIN chosen c ON c.no = u.no
    UNION ALL
    -- Some sources name their models without counting calls: those sessions still count.
    SELECT m.name, c.no, 0, 0, 0, 0, 0
      FROM chosen c CROSS JOIN LATERAL jsonb_array_elements_text(c.models::jsonb) m(name)
     WHERE c.no IN (SELECT e.no FROM entries e))`,
  `called AS MATERIALIZED (
    SELECT k.name, d.no, k.calls, k.failed
      FROM days d CROSS JOIN LATERAL unnest(d.tools, d.tool_calls, d.tool_failures) k(name, calls, failed)
    ${isNear ? "UNION ALL SELECT k.name, k.no, k.calls, k.failed FROM called_near k" : ""})`,
  `touched AS (
    SELECT c.source, c.place, c.person, t.day, t.file
      FROM (SELECT d.no, d.day, f.file FROM days d CROSS JOIN LATERAL unnest(d.files) f(file)
            ${isNear ? `UNION ALL SELECT d.no, d.day, ${fileHash("x")} FROM ${datedBy("session_files")} WHERE ${here("x")}` : ""}) t
      JOIN chosen c ON c.no = t.no)`,
  // A session has each path once.
  `files AS (
    SELECT f.file_path AS path, f.action <> 'read' AS is_changed, f.at
      FROM hub.session_files f JOIN chosen c ON c.account_id = f.account_id AND c.id = f.session_id
     WHERE ${here("f")} AND ${inRange("f.at")} AND ${isNoCopy("c", "coalesce(f.turn_index, 0)")})`,
];
