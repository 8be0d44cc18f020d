/** Which rows may begin a conversation. */
import type { FirstPass } from "./first-pass.ts";
import type { RowTable } from "./row-table.ts";

/** Words of the user, or of the program in their name. */
export const isPrompt = (table: RowTable, row: number): boolean =>
  table.kind(row) === "user" && table.answers(row).length === 0;

/**
 * No conversation begins with anything but a prompt while others stand before it: such a row has lost its parent. Where
 * that happened to one, it happened to prompts as well; else a prompt may begin anew, after a rewind of everything, of
 * which the program that marks where conversations end says so.
 */
export function createRootCheck({
  table,
  rows,
  marks,
}: {
  readonly table: RowTable;
  readonly rows: readonly number[];
  readonly marks: FirstPass["marks"];
}): (row: number) => boolean {
  // In a file whose lines were mixed up, the first row need not stand first.
  const begins = new Set([rows[0], earliest(table, rows)]);
  const isImpossible = (row: number): boolean =>
    !begins.has(row) &&
    table.isRoot(row) &&
    !table.isSidechain(row) &&
    table.kind(row) !== "system" &&
    !isPrompt(table, row);
  let hasLost: boolean | undefined;
  return (row) => {
    if (begins.has(row) || table.isSidechain(row)) return false;
    if (table.details.get(row)?.isSummary) return hasBoundary(table, row);
    if (isImpossible(row)) return true;
    hasLost ??= marks === "plain" || (marks === undefined && rows.some(isImpossible));
    return hasLost;
  };
}

function earliest(table: RowTable, rows: readonly number[]): number | undefined {
  const timeOf = (row: number): number => table.time(row) ?? Number.POSITIVE_INFINITY;
  return rows
    .filter((row) => !table.isSidechain(row))
    .reduce<number | undefined>(
      (first, row) => (first === undefined || timeOf(row) < timeOf(first) ? row : first),
      undefined,
    );
}

/** The boundary of the compaction that wrote a summary is there; a summary may also stand without one. */
const hasBoundary = (table: RowTable, summary: number): boolean =>
  [...table.details.values()].some(
    ({ boundary }) => boundary?.anchor === table.names.text(table.name(summary)),
  );
