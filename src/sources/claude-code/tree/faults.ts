/** Rows of a conversation that are sound by themselves, but of which the program leaves out a part. */
import { NONE, type RowTable } from "./row-table.ts";

export interface RowFault {
  readonly row: number;
  readonly why: string;
}

/** `rows` in the order of the conversation. */
export function findFaults(table: RowTable, rows: readonly number[]): RowFault[] {
  const faults: RowFault[] = [];
  const made = new Uint8Array(table.names.size);
  for (const row of rows) {
    const again = table.calls(row).find((call) => made[call]);
    if (again !== undefined)
      faults.push({ row, why: `the id of a tool call was used before (${table.names.text(again)})` });
    for (const call of table.calls(row)) made[call] = 1;
    const { preserved = [] } = table.details.get(row)?.boundary ?? {};
    const gone = preserved.length - keptOf(table, preserved).length;
    if (gone > 0)
      faults.push({ row, why: `${gone} of ${preserved.length} rows that a compaction kept are missing` });
  }
  return faults;
}

/** Those of the rows that a compaction preserved which are there. */
export const keptOf = (table: RowTable, preserved: readonly string[]): string[] =>
  preserved.filter((id) => table.names.has(id) && table.find(table.names.of(id)) !== NONE);
