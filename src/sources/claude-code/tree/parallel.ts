/** Parallel calls: rows of a reply, and results of its calls, that are not on the path from the leaf to the root. */
import { NONE, type RowTable } from "./row-table.ts";

/**
 * The calls of a reply are chained one after the other, and each result hangs on its own call, so only one result lies
 * on the chain. The stray rows of a reply and the results of its calls are put behind it, results in file order, each
 * with what was attached to it: what a hook said of it, for one.
 */
export function withParallelRows(
  table: RowTable,
  all: readonly number[],
  chain: readonly number[],
): readonly number[] {
  const onChain = marked(table, chain);
  const strays = all.filter((row) => !onChain[row]);
  const early = resultsBeforeCalls(table, chain);
  if (strays.length === 0 && !early) return chain;

  const names = table.names.size;
  const replyOf = (row: number): number[] => [table.reply(row)];
  const strayParts = groupRows(strays, names, replyOf);
  const strayAnswers = groupRows(strays, names, table.answers);
  const strayNotes = groupRows(
    strays.filter((row) => table.kind(row) === "attachment"),
    names,
    (row) => (table.parent(row) === NONE ? [] : [table.parent(row)]),
  );
  const answers = groupRows(chain, names, table.answers);
  const parts = groupRows(chain, names, replyOf);
  const ends = new Int32Array(names).fill(NONE);
  for (const row of chain) ends[table.reply(row)] = row;

  const out: number[] = [];
  const isOut = new Uint8Array(table.size);
  const add = (row: number): void => {
    if (!isOut[row]) out.push(row);
    isOut[row] = 1;
  };
  const addResult = (row: number): void => {
    const rows = [row];
    for (const each of rows) {
      // What hangs on a result that is on the chain is on it as well, or was left.
      if (!onChain[each] && !isOut[each]) rows.push(...strayNotes.of(table.name(each)));
      add(each);
    }
  };
  const resultsOf = (call: number): readonly number[] => {
    const found = answers.of(call);
    return found.length > 0 ? found : strayAnswers.of(call).slice(-1);
  };
  for (const row of chain) {
    if (!early?.[row]) add(row);
    const reply = table.reply(row);
    if (table.kind(row) !== "assistant" || ends[reply] !== row) continue;
    const others = strayParts.of(reply);
    for (const part of others) add(part);
    const results = [...parts.of(reply), ...others].flatMap((part) => table.calls(part).flatMap(resultsOf));
    if (results.every((result) => onChain[result] && !early?.[result])) continue;
    for (const result of results.sort((a, b) => a - b)) addResult(result);
  }
  return out;
}

/** Results that stand on the chain before their calls, and have to wait for them; seldom any. */
function resultsBeforeCalls(table: RowTable, chain: readonly number[]): Uint8Array | undefined {
  const isMade = new Uint8Array(table.names.size);
  const waiting: { row: number; call: number }[] = [];
  for (const row of chain) {
    for (const call of table.calls(row)) isMade[call] = 1;
    for (const call of table.answers(row)) if (!isMade[call]) waiting.push({ row, call });
  }
  // Now every call on the chain is made, and the others never will be.
  const early = waiting.filter(({ call }) => isMade[call]).map(({ row }) => row);
  return early.length > 0 ? marked(table, early) : undefined;
}

/** Which rows are in a list, by number. */
export function marked(table: RowTable, rows: readonly number[]): Uint8Array {
  const marks = new Uint8Array(table.size);
  for (const row of rows) marks[row] = 1;
  return marks;
}

interface Groups {
  of(name: number): readonly number[];
}

/** `names` is how many there are; a row may belong to none or to several. */
function groupRows(
  rows: readonly number[],
  names: number,
  namesOf: (row: number) => readonly number[],
): Groups {
  const ends = new Uint32Array(names + 1);
  for (const row of rows) for (const name of namesOf(row)) ends[name + 1] = (ends[name + 1] as number) + 1;
  for (let name = 0; name < names; name++)
    ends[name + 1] = (ends[name + 1] as number) + (ends[name] as number);
  // Filled from its beginning, a group's mark ends up at its end, which is where the next one began.
  const members = new Uint32Array(ends[names] as number);
  for (const row of rows) {
    for (const name of namesOf(row)) {
      members[ends[name] as number] = row;
      ends[name] = (ends[name] as number) + 1;
    }
  }
  return { of: (name) => [...members.subarray(name === 0 ? 0 : ends[name - 1], ends[name])] };
}
