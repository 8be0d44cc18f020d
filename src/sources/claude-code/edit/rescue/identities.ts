/** Finds rows that have the id of another one, and a conversation all of which is marked as aside. */
import { uuidOf } from "../../../../model/values/stable-id.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { MemberTexts } from "../../../log/pieces.ts";
import type { FirstPass } from "../../tree/first-pass.ts";
import { openRows } from "../../tree/row-reader.ts";
import { NONE, type RowTable } from "../../tree/row-table.ts";
import { type Changes, createChanges } from "./changes.ts";
import { type DamagedLog, WHOLE_LINES } from "./lines.ts";

export async function repairIdentities(
  fs: SessionFs,
  log: DamagedLog,
  { rows: table }: FirstPass,
): Promise<Changes> {
  const changes = createChanges();
  if (!log.isAgent && isAllAside(table)) bringForward(table, changes);
  await partTwins(fs, log, table, changes);
  return changes;
}

/** The program finds no conversation among rows of side chains. */
function isAllAside(table: RowTable): boolean {
  for (let row = 0; row < table.size; row++) if (!table.isSidechain(row)) return false;
  return table.size > 0;
}

function bringForward(table: RowTable, changes: Changes): void {
  const what = "every row is marked as part of a side chain: the marks were taken away";
  for (let row = 0; row < table.size; row++)
    changes.add(
      table.start(row),
      { line: table.origin(row).line, what: row === 0 ? what : undefined },
      {
        set: () => ({ isSidechain: "false" }),
      },
    );
}

/**
 * A row that is written again, in the same place or with the same words, is one row. Those that say different things in
 * different places are not: the program would forget all but the last of them.
 */
async function partTwins(
  fs: SessionFs,
  { path, id }: DamagedLog,
  table: RowTable,
  changes: Changes,
): Promise<void> {
  const reader = openRows(fs, path, { maxLine: WHOLE_LINES });
  const wordsOf = async (row: number): Promise<string> => {
    const { record } = (await reader.load(table, row)) ?? {};
    return JSON.stringify([record?.type, record?.message, record?.attachment, record?.content]);
  };
  try {
    for (const rows of rowsOfOneName(table)) {
      /** Where another row of this name begins. */
      const begins: number[] = [];
      for (const [at, row] of rows.entries()) {
        const before = rows[at - 1] ?? NONE;
        const isSame =
          before !== NONE &&
          (isSamePlace(table, before, row) || (await wordsOf(before)) === (await wordsOf(row)));
        if (!isSame) begins.push(row);
      }
      for (const [at, row] of begins.slice(0, -1).entries())
        rename(table, rows, row, begins[at + 1] ?? NONE, id, changes);
    }
  } finally {
    await reader.close();
  }
}

/** Those that do not say what they follow may stand anywhere. */
const isSamePlace = (table: RowTable, one: number, other: number): boolean =>
  table.parent(one) === table.parent(other) &&
  (table.parent(one) !== NONE || (table.isRoot(one) && table.isRoot(other)));

/** A row, also where it is written again before the next one of its name, and those in between that follow it. */
function rename(
  table: RowTable,
  rows: readonly number[],
  first: number,
  next: number,
  id: string,
  changes: Changes,
): void {
  const uuid = JSON.stringify(uuidOf(`${id}:${table.names.text(table.name(first))}:${table.start(first)}`));
  const what = "another row has the same id: it got an id of its own";
  const add = (row: number, members: MemberTexts): void =>
    changes.add(
      table.start(row),
      { line: table.origin(row).line, what: row === first ? what : undefined },
      { set: () => members },
    );
  for (const row of rows) if (row >= first && row < next) add(row, { uuid });
  for (let row = first + 1; row <= next; row++)
    if (table.parent(row) === table.name(first)) add(row, { parentUuid: uuid });
}

/** Rows of the same name, in the order of the file, where there are several. */
function rowsOfOneName(table: RowTable): readonly (readonly number[])[] {
  const names = new Map<number, number[]>();
  for (let row = 0; row < table.size; row++)
    if (!table.isLast(row)) names.set(table.name(row), [...(names.get(table.name(row)) ?? []), row]);
  return [...names].map(([name, rows]) => [...rows, table.find(name)]);
}
