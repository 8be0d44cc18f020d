/** Computes the changes that turn a session's rows in one table into the wanted ones. Pure. */
import { memberOf } from "../../model/values/member.ts";
import type { Cell, Row, Table } from "./tables.ts";

export interface StoredRow {
  readonly rowid: number;
  readonly cells: Row;
}

export interface Difference {
  readonly added: readonly Row[];
  /** Only the columns that change. */
  readonly updated: readonly StoredRow[];
  readonly removed: readonly number[];
}

export function findDifference(
  table: Table,
  wanted: readonly Row[],
  stored: readonly StoredRow[],
): Difference {
  const keyOf = (row: Row): string => JSON.stringify(table.key.map((column) => memberOf(row, column)));
  const known = new Map<string, StoredRow>();
  const removed: number[] = [];
  for (const row of stored) {
    const key = keyOf(row.cells);
    // The search index has no key that would keep the same thing from standing there twice.
    if (known.has(key)) removed.push(row.rowid);
    else known.set(key, row);
  }
  const added: Row[] = [];
  const updated: StoredRow[] = [];
  for (const row of wanted) {
    const before = known.get(keyOf(row));
    if (!before) {
      added.push(row);
      continue;
    }
    known.delete(keyOf(row));
    const cells = changedCells(table, row, before.cells);
    if (Object.keys(cells).length > 0) updated.push({ rowid: before.rowid, cells });
  }
  for (const { rowid } of known.values()) removed.push(rowid);
  return { added, updated, removed };
}

function changedCells(table: Table, row: Row, before: Row): Row {
  const pick = (columns: readonly string[], isWanted: (column: string, cell: Cell) => boolean): Row =>
    Object.fromEntries(
      columns.flatMap((column) => {
        const cell = memberOf(row, column);
        return cell !== undefined && isWanted(column, cell) ? [[column, cell]] : [];
      }),
    );
  // A title that cannot be told is empty, and takes the place of none that the program wrote.
  const facts = pick(
    table.facts,
    (column, cell) => cell !== memberOf(before, column) && !(cell === "" && memberOf(before, column)),
  );
  const isAnother = table.sameBy !== undefined && Object.hasOwn(facts, table.sameBy);
  return isAnother ? { ...facts, ...pick(table.once, () => true) } : facts;
}
