/** What the hub's tables take on disk: raw files, derived rows, and their indexes. */
import type pg from "pg";

export interface Sizes {
  readonly sessions: number;
  readonly turns: number;
  /** In bytes, with what lies outside of its rows. */
  readonly raw: number;
  readonly rawIndexes: number;
  readonly derived: number;
  readonly derivedIndexes: number;
  /** Of words and of names. */
  readonly searchIndexes: number;
  readonly queue: number;
  readonly database: number;
  /** By table, the largest first. */
  readonly tables: readonly { readonly name: string; readonly table: number; readonly indexes: number }[];
}

const RAW = ["raw_files", "raw_events"];

export async function measureSizes(admin: pg.Client): Promise<Sizes> {
  const { rows } = await admin.query<{ name: string; rows: string; indexes: string; search: string }>(
    `SELECT regexp_replace(c.relname, '_p\\d+$', '') AS name, sum(pg_table_size(c.oid)) AS rows,
        sum(pg_indexes_size(c.oid)) AS indexes,
        sum((SELECT coalesce(sum(pg_relation_size(i.indexrelid)), 0) FROM pg_index i
              JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am a ON a.oid = x.relam
             WHERE i.indrelid = c.oid AND a.amname = 'gin')) AS search
       FROM pg_class c WHERE c.relnamespace = 'hub'::regnamespace AND c.relkind = 'r' GROUP BY 1 ORDER BY 2 DESC`,
  );
  const tables = rows.map((row) => ({
    ...{ name: row.name, table: Number(row.rows), indexes: Number(row.indexes), search: Number(row.search) },
  }));
  const sum = (of: "table" | "indexes" | "search", isRaw: boolean): number =>
    tables.filter(({ name }) => RAW.includes(name) === isRaw).reduce((total, each) => total + each[of], 0);
  const { rows: counts } = await admin.query<Record<string, string>>(
    `SELECT (SELECT count(*) FROM hub.sessions) AS sessions, (SELECT count(*) FROM hub.turns) AS turns,
        pg_database_size(current_database()) AS database,
        (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
          WHERE relnamespace = 'hub_queue'::regnamespace AND relkind = 'r') AS queue`,
  );
  const [count = {}] = counts;
  return {
    sessions: Number(count.sessions),
    turns: Number(count.turns),
    raw: sum("table", true),
    rawIndexes: sum("indexes", true),
    derived: sum("table", false),
    derivedIndexes: sum("indexes", false),
    searchIndexes: sum("search", false),
    queue: Number(count.queue),
    database: Number(count.database),
    tables: tables.map(({ name, table, indexes }) => ({ name, table, indexes })),
  };
}
