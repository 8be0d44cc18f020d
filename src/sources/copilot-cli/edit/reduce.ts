/** A log made smaller: the pieces of what is left of it, and the account of what is not. */
import type { Piece } from "../../../model/plan.ts";
import type { Ledger, Reduction } from "../../../model/reduction.ts";
import type { Artifact } from "../../../model/session.ts";
import { eachLine, type Line } from "../../../platform/lines.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { changeMembers } from "../../json-members.ts";
import { fitBudget } from "./reduce-budget.ts";
import { type Cuts, isDropped, toCuts, toLedger } from "./reduce-cuts.ts";
import { shorten, toNote } from "./reduce-line.ts";
import { createPieces } from "./reduce-pieces.ts";
import { type Row, readRows } from "./reduce-rows.ts";
import type { Survey } from "./survey.ts";

export interface Reduced {
  readonly pieces: readonly Piece[];
  readonly ledger: Ledger;
  /** Whether a prompt is still there. */
  keeps(eventId: string): boolean;
}

export interface ReduceOptions {
  readonly reduction: Reduction;
  /** session.start as it is to be. */
  readonly start: string;
  readonly count: (text: string) => number;
}

export async function reduce(
  fs: SessionFs,
  artifact: Artifact,
  seen: Survey,
  { reduction, start, count }: ReduceOptions,
): Promise<Reduced> {
  const { id, path } = artifact;
  const weigh = reduction.budget === undefined ? isThere : estimate(count);
  const rows = await readRows(fs, path, seen.size, seen.turns, weigh);
  const cuts = toCuts(rows, seen.turns.length, reduction, `copilot-cli:${id}`);
  if (reduction.budget !== undefined) fitBudget(rows, seen.turns.length, cuts, reduction.budget);
  const gone = new Set(rows.flatMap((row) => (isDropped(row, cuts) && row.id !== undefined ? [row.id] : [])));
  const cutCalls = new Set<string>();
  const pieces = createPieces(path);
  const note = toNote(`copilot-cli:${id}`);
  let number = 0;
  let last: string | undefined;
  const visit = (line: Line): void => {
    const row = rows[number] as Row;
    const at = number++;
    if (row.start <= seen.start.start && seen.start.start < row.end) {
      pieces.keep(row.start, seen.start.start);
      pieces.write(start);
      pieces.keep(seen.start.end, row.end);
    } else if (isDropped(row, cuts)) return;
    else {
      const before = line.bytes.toString("utf8");
      const short = mayChange(row, at, cuts)
        ? shorten(before, row, at, cuts, note, (call) => cutCalls.add(call))
        : before;
      // The chain of records goes on where it was cut.
      const isCut = row.parent !== undefined && gone.has(row.parent);
      const linked = isCut ? changeMembers(short, { parentId: last ?? null }) : short;
      if (linked === before) pieces.keep(row.start, row.end);
      else {
        pieces.change(line, linked);
        pieces.keep(line.end, row.end);
      }
    }
    last = row.id ?? last;
  };
  await eachLine(fs, path, visit, { start: 0, end: seen.size, maxLine: Number.POSITIVE_INFINITY });
  return {
    pieces: pieces.all(),
    ledger: toLedger(rows, seen.turns.length, cuts, cutCalls),
    keeps: (eventId) => !gone.has(eventId),
  };
}

/** Where no budget is to be kept, all that matters is whether there is a text. */
const isThere = (text: string): number => (text === "" ? 0 : 1);

/** Long texts are weighed by their beginning: whoever set the budget measures what comes of it. */
const SAMPLE = 1000;
const estimate =
  (count: (text: string) => number) =>
  (text: string): number =>
    text.length <= 2 * SAMPLE ? count(text) : (count(text.slice(0, SAMPLE)) * text.length) / SAMPLE;

const callsIn = (row: Row): string[] => [
  ...(row.call === undefined ? [] : [row.call]),
  ...(row.makes ?? []).map(({ id }) => id),
];

function mayChange(row: Row, number: number, cuts: Cuts): boolean {
  if ((cuts.thinking && row.thinks) || cuts.texts.has(number)) return true;
  return callsIn(row).some((call) => cuts.limits.has(call) || cuts.calls.has(call));
}
