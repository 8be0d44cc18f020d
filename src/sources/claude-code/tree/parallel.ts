/** Parallel calls: rows of a reply, and results of its calls, that are not on the path from the leaf to the root. */
import { NONE, type RowTable } from "./row-table.ts";

/** A stretch of the chain, from the first row of a reply on, and what is put into it. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly found: readonly number[];
  /** What hangs on rows of the chain in it. */
  readonly notes: ReadonlyMap<number, readonly number[]>;
}

/**
 * The calls of a reply are chained one after the other, and each result hangs on its own call, so only one result lies
 * on the chain. The program puts the stray rows of a reply and the results of its calls among the rows behind its first
 * one, all in file order, each with what was attached to it: what a hook said of it, for one. Results that do not hang on
 * a row of the reply come behind it at the earliest. People are shown no second result of a call, which the service is
 * not sent, either, and those of replies without an id, which the program does not find.
 */
export function withParallelRows(
  table: RowTable,
  all: readonly number[],
  chain: readonly number[],
  forReader: boolean,
): readonly number[] {
  const isTaken = marked(table, chain);
  const strays = all.filter((row) => !isTaken[row]);
  return inOrder(table, strays.length === 0 ? chain : recovered(table, strays, chain, isTaken, forReader));
}

function recovered(
  table: RowTable,
  strays: readonly number[],
  chain: readonly number[],
  isTaken: Uint8Array,
  forReader: boolean,
): readonly number[] {
  const names = table.names.size;
  const followersOf = groupRows(strays, names, (row) => listOf(table.parent(row)));
  const strayParts = groupRows(strays, names, (row) => listOf(replyOf(table, row)));
  const strayAnswers = groupRows(strays, names, table.answers);
  const parts = groupRows(chain, names, (row) => listOf(replyOf(table, row)));
  const place = new Int32Array(table.size).fill(NONE);
  for (const [at, row] of chain.entries()) place[row] = at;
  const answered = new Uint8Array(names);
  for (const row of chain) for (const call of table.answers(row)) answered[call] = 1;

  const resultsOn = (row: number): number[] =>
    followersOf.of(table.name(row)).filter((one) => table.answers(one).length > 0);
  const firstAnswers = (rows: readonly number[], calls: readonly number[]): readonly number[] =>
    rows.filter((row) => {
      const isNew = table.answers(row).some((call) => !answered[call] && calls.includes(call));
      if (isNew) for (const call of table.answers(row)) answered[call] = 1;
      return isNew;
    });
  /** What hangs on a row and leads nowhere; what leads on, or in two directions, belongs to another branch. */
  const notesOn = (row: number): number[] =>
    followersOf.of(table.name(row)).flatMap((first) => {
      const found: number[] = [];
      for (let at = first; at !== NONE; ) {
        if (isTaken[at] || !isNote(table, at) || table.isSidechain(at) !== table.isSidechain(row)) return [];
        found.push(at);
        const next = followersOf.of(table.name(at)).filter((one) => !isTaken[one] && !found.includes(one));
        if (next.length > 1) return [];
        at = next[0] ?? NONE;
      }
      for (const one of found) isTaken[one] = 1;
      return found;
    });

  const regions: Region[] = [];
  const late = new Map<number, number>();
  const isDone = new Uint8Array(names);
  for (const [start, row] of chain.entries()) {
    if (table.kind(row) !== "assistant" || isDone[table.reply(row)]) continue;
    const reply = replyOf(table, row);
    isDone[table.reply(row)] = 1;
    if (reply === NONE && !forReader) continue;
    const known = reply === NONE ? [row] : parts.of(reply);
    const others = reply === NONE ? [] : strayParts.of(reply);
    const group = [...known, ...others];
    const calls = group.flatMap((part) => table.calls(part));
    const hanging = group.flatMap(resultsOn).filter((one) => !isTaken[one]);
    const below = forReader ? firstAnswers(hanging, calls) : hanging;
    for (const one of below) for (const call of table.answers(one)) answered[call] = 1;
    const elsewhere = firstAnswers(
      byPlace(
        table,
        calls.flatMap((call) => strayAnswers.of(call)),
      ).filter((one) => !hanging.includes(one)),
      calls,
    );
    const results = [...below, ...elsewhere];
    const behind = Math.max(...group.map((part) => table.place(part))) + 0.5;
    for (const one of elsewhere) late.set(one, Math.max(table.place(one), behind));
    const found = [...others, ...results];
    for (const one of found) isTaken[one] = 1;
    let end = Math.max(start, ...known.map((part) => place[part] ?? NONE)) + 1;
    while (end < chain.length && belongsTo(table, chain[end] as number, table.reply(row))) end++;
    const notes = new Map<number, readonly number[]>();
    if (calls.length > 0) {
      const called = new Set(group.map((part) => table.name(part)));
      const within = chain.slice(start + 1, end);
      const answers = within.filter((one) => table.answers(one).length > 0 && called.has(table.parent(one)));
      for (const one of [...group, ...results, ...answers]) found.push(...notesOn(one));
      for (const one of within) if (isNote(table, one)) notes.set(one, notesOn(one));
    }
    if (found.length > 0 || [...notes.values()].some((each) => each.length > 0))
      regions.push({ start, end, found, notes });
  }
  return regions.length === 0 ? chain : filled(chain, regions, (row) => late.get(row) ?? table.place(row));
}

/** Rows of the chain and those that were found, in file order behind the first row of each region. */
function filled(
  chain: readonly number[],
  regions: readonly Region[],
  place: (row: number) => number,
): readonly number[] {
  const out: number[] = [];
  let from = 0;
  for (const { start, end, found, notes } of joined(regions)) {
    out.push(...chain.slice(from, start + 1));
    const waiting = found.toSorted((a, b) => place(a) - place(b));
    let next = 0;
    for (const row of chain.slice(start + 1, end)) {
      while (next < waiting.length && place(waiting[next] as number) < place(row))
        out.push(waiting[next++] as number);
      out.push(row, ...(notes.get(row) ?? []));
    }
    out.push(...waiting.slice(next));
    from = end;
  }
  out.push(...chain.slice(from));
  return out;
}

function joined(regions: readonly Region[]): readonly Region[] {
  const all: Region[] = [];
  for (const region of regions) {
    const last = all.at(-1);
    if (!last || region.start >= last.end) all.push(region);
    else
      all[all.length - 1] = {
        start: last.start,
        end: Math.max(last.end, region.end),
        found: [...last.found, ...region.found],
        notes: new Map([...last.notes, ...region.notes]),
      };
  }
  return all;
}

const byPlace = (table: RowTable, rows: readonly number[]): number[] =>
  [...new Set(rows)].sort((a, b) => table.place(a) - table.place(b));

const listOf = (name: number): readonly number[] => (name === NONE ? [] : [name]);

/** What an answer is part of, where it says so. */
function replyOf(table: RowTable, row: number): number {
  const reply = table.kind(row) === "assistant" ? table.reply(row) : NONE;
  return reply === table.name(row) ? NONE : reply;
}

/** What is no part of the conversation by itself. */
const isNote = (table: RowTable, row: number): boolean => {
  const kind = table.kind(row);
  if (kind === "user") return table.isMeta(row) && table.answers(row).length === 0;
  return kind === "attachment" || (kind === "system" && !table.details.get(row)?.boundary);
};

const belongsTo = (table: RowTable, row: number, reply: number): boolean =>
  table.kind(row) === "assistant"
    ? table.reply(row) === reply
    : isNote(table, row) || table.answers(row).length > 0;

/** Results that stand before the reply that made their calls wait for its end. */
function inOrder(table: RowTable, rows: readonly number[]): readonly number[] {
  const early = resultsBeforeCalls(table, rows);
  if (!early) return rows;
  const answers = groupRows(
    rows.filter((row) => early[row]),
    table.names.size,
    table.answers,
  );
  const ends = new Int32Array(table.names.size).fill(NONE);
  for (const row of rows) if (table.kind(row) === "assistant") ends[table.reply(row)] = row;
  const calls = new Map<number, number[]>();
  const out: number[] = [];
  for (const row of rows) {
    if (!early[row]) out.push(row);
    if (table.kind(row) !== "assistant") continue;
    const reply = table.reply(row);
    const made = [...(calls.get(reply) ?? []), ...table.calls(row)];
    calls.set(reply, made);
    if (ends[reply] === row)
      out.push(...new Set(made.flatMap(answers.of).toSorted((a, b) => table.place(a) - table.place(b))));
  }
  return out;
}

/** Seldom any. The rows of a reply are sent as one message, where the first of them stands. */
function resultsBeforeCalls(table: RowTable, rows: readonly number[]): Uint8Array | undefined {
  const begun = new Uint8Array(table.names.size);
  const isMade = new Uint8Array(table.names.size);
  const waiting: { readonly row: number; readonly call: number; readonly at: number }[] = [];
  for (const [at, row] of rows.entries()) {
    for (const call of table.calls(row)) isMade[call] = 1;
    for (const call of table.answers(row)) if (!isMade[call]) waiting.push({ row, call, at });
  }
  if (waiting.length === 0) return undefined;
  const replyOfCall = new Map<number, number>();
  for (const row of rows) for (const call of table.calls(row)) replyOfCall.set(call, table.reply(row));
  const early: number[] = [];
  let from = 0;
  for (const { row, call, at } of waiting) {
    for (; from < at; from++) begun[table.reply(rows[from] as number)] = 1;
    const reply = replyOfCall.get(call);
    if (reply !== undefined && !begun[reply]) early.push(row);
  }
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
