/** What is to go from a log, told by turns, calls and lines; decided here, done where the lines are at hand. */
import { AppError } from "../../../model/errors.ts";
import { type Ledger, type LedgerEntry, type Reduction, shareOf } from "../../../model/reduction.ts";
import type { Row } from "./reduce-rows.ts";

export interface Cuts {
  readonly turns: Set<number>;
  readonly calls: Set<string>;
  /** The calls of which so many characters of every long text stay. */
  readonly limits: Map<string, number>;
  /** The same for what was said, by the number of its row. */
  readonly texts: Map<number, number>;
  thinking: boolean;
}

/** The calls of the model itself, oldest first. */
export const callsOf = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(({ makes }) => makes ?? []).map(({ id }) => id)),
];

/** All that is asked for but the budget, which comes on top. */
export function toCuts(rows: readonly Row[], turns: number, reduction: Reduction, id: string): Cuts {
  const { tools, dropOldest, dropThinking = false } = reduction;
  const dropped = dropOldest ? shareOf(dropOldest, turns) : 0;
  if (dropped > 0 && dropped >= turns)
    throw new AppError(
      "usage",
      `Session ${id} has ${turns} turns, and one must stay`,
      `Drop fewer, such as: rethread clone ${id} --drop-oldest ${Math.max(0, turns - 1)}`,
    );
  const calls = callsOf(rows);
  const cuts: Cuts = {
    turns: new Set(Array.from({ length: dropped }, (_, turn) => turn)),
    calls: new Set(),
    limits: new Map(),
    texts: new Map(),
    thinking: dropThinking,
  };
  // With all calls go what sub-agents did, also those whose call nobody recorded.
  if (tools === "drop") for (const { call } of rows) if (call !== undefined) cuts.calls.add(call);
  if (tools === "drop") for (const call of calls) cuts.calls.add(call);
  else if (tools && "oldest" in tools)
    for (const call of calls.slice(0, Math.floor((calls.length * tools.oldest) / 100))) cuts.calls.add(call);
  else if (tools) for (const call of calls) cuts.limits.set(call, tools.truncate);
  dropCallsOfTurns(rows, cuts);
  return cuts;
}

/** A result may stand behind the next prompt: it goes with its call all the same. */
function dropCallsOfTurns(rows: readonly Row[], cuts: Cuts): void {
  for (const { turn, makes } of rows)
    if (cuts.turns.has(turn)) for (const { id } of makes ?? []) cuts.calls.add(id);
}

/** True for a row of which nothing stays. */
export function isDropped(row: Row, cuts: Cuts): boolean {
  if (row.call !== undefined && cuts.calls.has(row.call)) return true;
  if (cuts.thinking && row.kind === "thought") return true;
  if (cuts.turns.has(row.turn)) return row.kind !== "setting" && !isLastWord(row, cuts);
  // An answer that said nothing beside its calls has nothing left to say.
  return (
    row.kind === "answer" && row.tokens === 0 && row.makes?.every(({ id }) => cuts.calls.has(id)) === true
  );
}

/** A summary stands for all before it, so it goes only when all of that goes. */
const isLastWord = ({ kind, turn }: Row, { turns }: Cuts): boolean =>
  (kind === "summary" || kind === "clear") &&
  Array.from({ length: turn }, (_, each) => each).some((each) => !turns.has(each));

export function toLedger(
  rows: readonly Row[],
  turns: number,
  cuts: Cuts,
  cutCalls: ReadonlySet<string>,
): Ledger {
  const texts = rows.flatMap((row, number) =>
    (row.kind === "prompt" || row.kind === "answer") && row.tokens > 0 ? [{ row, number }] : [],
  );
  const thoughts = rows.filter(({ thinks, kind }) => thinks || kind === "thought");
  const entry = (all: number, cut: number, dropped: number): LedgerEntry => ({
    kept: all - cut - dropped,
    cut,
    dropped,
  });
  const calls = callsOf(rows);
  const isGone = (row: Row): boolean => isDropped(row, cuts);
  return {
    turns: entry(turns, 0, cuts.turns.size),
    toolCalls: entry(calls.length, cutCalls.size, calls.filter((call) => cuts.calls.has(call)).length),
    texts: entry(
      texts.length,
      texts.filter(({ row, number }) => !isGone(row) && cuts.texts.has(number)).length,
      texts.filter(({ row }) => isGone(row)).length,
    ),
    thoughts: entry(thoughts.length, 0, thoughts.filter((row) => cuts.thinking || isGone(row)).length),
  };
}
