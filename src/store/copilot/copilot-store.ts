/**
 * Updates Copilot CLI's own session-store.db: compares a session's rows with the wanted ones and writes only what
 * differs, in one short transaction, so that readers see the old rows or the new ones.
 */
import { isDeepStrictEqual } from "node:util";
import { memberOf } from "../../model/values/member.ts";
import { copyInto, type Database, type Statement, transaction } from "../../platform/sqlite/sqlite.ts";
import type { Opened } from "../../platform/sqlite/untouched.ts";
import { type Difference, findDifference, type StoredRow } from "./difference.ts";
import { putImageBack, type RowImage, takeImage } from "./image.ts";
import { explain, openKnown } from "./open.ts";
import { createSearchPlaces, ownedBy } from "./search-places.ts";
import { type Cell, LIVE_TABLES, type Row, TABLES, type Table } from "./tables.ts";
import type { WantedRows } from "./wanted.ts";

export interface Count {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
}
/** By table; only those where something changes. */
export type Counts = Readonly<Record<string, Count>>;

export interface CopilotStore {
  /** Makes the file at `path` the same, under SQLite's own locks. */
  copyTo(path: string): Promise<void>;
  /** What makes the rows of a session as wanted. */
  compare(id: string, wanted: WantedRows): Counts;
  write(id: string, wanted: WantedRows): Counts;
  /** The sessions with rows of any kind. */
  sessions(): string[];
  countRows(id: string): Counts;
  remove(id: string): Counts;
  /** All that is there of a session, to be put back as it is. */
  image(id: string): RowImage;
  /** What putting it back would change. */
  compareTo(id: string, image: RowImage): Counts;
  putBack(id: string, image: RowImage): Counts;
  close(): void;
}

/** Waits no longer than that for another writer. */
export function openCopilotStore(path: string, readOnly: boolean, patienceMs?: number): CopilotStore {
  const known = openKnown(path, readOnly, patienceMs);
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explain(error, path);
    }
  };
  try {
    return guarded(() => createStore(known, guarded));
  } catch (error) {
    known.close();
    throw error;
  }
}

function createStore({ db, close }: Opened, guarded: <T>(work: () => T) => T): CopilotStore {
  const places = createSearchPlaces(db);
  const tables = TABLES.map((table) => prepareTable(db, table));
  const live = LIVE_TABLES.map((name) => ({
    name,
    count: db.prepare(`SELECT count(*) AS rows FROM ${name} WHERE session_id = ?`),
    erase: db.prepare(`DELETE FROM ${name} WHERE session_id = ?`),
  }));
  const ids = db.prepare("SELECT id FROM sessions UNION SELECT session_id FROM temp.search_places");

  const differences = (id: string, wanted: WantedRows) =>
    tables.map((prepared) => ({
      prepared,
      difference: findDifference(prepared.table, wanted[prepared.table.name], prepared.stored(id)),
    }));
  const lost = (id: string): [string, Count][] =>
    [
      ...live.map(({ name, count }): [string, number] => [name, Number(count.get(id)?.rows)]),
      ...tables.map(({ table, stored }): [string, number] => [table.name, stored(id).length]),
    ].map(([name, removed]) => [name, { added: 0, updated: 0, removed }]);
  const alone = <T>(work: () => T): T =>
    guarded(() =>
      transaction(db, () => {
        places.refresh();
        return work();
      }),
    );

  return {
    async copyTo(path) {
      try {
        await copyInto(db, path);
      } catch (error) {
        throw explain(error, path);
      }
    },
    compare: (id, wanted) =>
      guarded(() =>
        toCounts(
          differences(id, wanted).map(({ prepared, difference }) => countOf(prepared.table, difference)),
        ),
      ),
    write: (id, wanted) =>
      alone(() =>
        toCounts(
          differences(id, wanted).map(({ prepared, difference }) => {
            prepared.apply(difference);
            return countOf(prepared.table, difference);
          }),
        ),
      ),
    sessions: () => guarded(() => ids.all().map((row) => String(row.id))),
    countRows: (id) => guarded(() => toCounts(lost(id))),
    remove: (id) =>
      alone(() => {
        const counts = toCounts(lost(id));
        for (const { erase } of live) erase.run(id);
        // Children first: their rows refer to that of the session.
        for (const { stored, apply } of tables.toReversed())
          apply({ added: [], updated: [], removed: stored(id).map(({ rowid }) => rowid) });
        return counts;
      }),
    image: (id) =>
      guarded(() => {
        places.refresh();
        return takeImage(db, id);
      }),
    compareTo: (id, image) => guarded(() => changesBetween(takeImage(db, id), image)),
    putBack: (id, image) =>
      alone(() => {
        const before = takeImage(db, id);
        putImageBack(db, id, image);
        places.forget();
        return changesBetween(before, image);
      }),
    close,
  };
}

const countOf = (table: Table, { added, updated, removed }: Difference): [string, Count] => [
  table.name,
  { added: added.length, updated: updated.length, removed: removed.length },
];

const toCounts = (counts: readonly (readonly [string, Count])[]): Counts =>
  Object.fromEntries(counts.filter(([, { added, updated, removed }]) => added + updated + removed > 0));

const changesBetween = (before: RowImage, after: RowImage): Counts =>
  toCounts(
    Object.keys(after).map((name) => [name, changesOf(memberOf(before, name), memberOf(after, name))]),
  );

function changesOf(before: RowImage[string] = [], after: RowImage[string] = []): Count {
  // Those that were kept are plain objects, those of SQLite have no prototype: only what is in them counts.
  const rows = new Map(before.map((row) => [row.rowid, { ...row }]));
  const there = after.filter(({ rowid }) => rows.has(rowid));
  return {
    added: after.length - there.length,
    updated: there.filter((row) => !isDeepStrictEqual({ ...row }, rows.get(row.rowid))).length,
    removed: rows.size - there.length,
  };
}

interface PreparedTable<T extends Table = (typeof TABLES)[number]> {
  readonly table: T;
  stored(id: string): StoredRow[];
  apply(difference: Difference): void;
}

function prepareTable(db: Database, table: (typeof TABLES)[number]): PreparedTable {
  const columns = [...table.key, ...table.facts];
  const select = db.prepare(
    `SELECT rowid AS rowid, ${columns.join(", ")} FROM ${table.name} WHERE ${ownedBy(table)}`,
  );
  const erase = db.prepare(`DELETE FROM ${table.name} WHERE rowid = ?`);
  // Which columns are known differs from row to row, but not in many ways.
  const statements = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    table,
    stored: (id) =>
      select
        .all(id)
        .map(({ rowid, ...cells }) => ({ rowid: Number(rowid), cells: cells as Record<string, Cell> })),
    apply({ added, updated, removed }) {
      for (const rowid of removed) erase.run(rowid);
      for (const { rowid, cells } of updated) {
        const names = Object.keys(cells);
        prepared(
          `UPDATE ${table.name} SET ${names.map((name) => `${name} = ?`).join(", ")} WHERE rowid = ?`,
        ).run(...Object.values(cells), rowid);
      }
      for (const row of added) insert(prepared, table.name, row);
    },
  };
}

function insert(prepared: (sql: string) => Statement, table: string, row: Row): void {
  const names = Object.keys(row);
  prepared(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`).run(
    ...Object.values(row),
  );
}
