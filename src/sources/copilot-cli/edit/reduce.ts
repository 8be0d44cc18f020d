/** A log made smaller: the pieces of what is left of it, and the account of what is not. */
import { fitBudget } from "../../../model/cut-ladder.ts";
import { toNote } from "../../../model/cut-text.ts";
import { type Cuts, isDropped, toCuts, toLedger } from "../../../model/cuts.ts";
import { weigherFor } from "../../../model/passage.ts";
import type { Piece } from "../../../model/plan.ts";
import type { Ledger, Reduction } from "../../../model/reduction.ts";
import type { Artifact } from "../../../model/session.ts";
import { eachLine, type Line } from "../../../platform/lines.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { changeMembers } from "../../json-members.ts";
import { shorten } from "./reduce-line.ts";
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
  const turns = seen.turns.length;
  const rows = await readRows(fs, path, seen.size, seen.turns, weigherFor(reduction, count));
  const cuts = toCuts(rows, turns, reduction, `copilot-cli:${id}`);
  if (reduction.budget !== undefined) fitBudget(rows, cuts, { turns, budget: reduction.budget });
  const gone = new Set(
    rows.flatMap((row, at) => (isDropped(row, at, cuts) && row.id !== undefined ? [row.id] : [])),
  );
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
    } else if (isDropped(row, at, cuts)) return;
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
    ledger: toLedger(rows, turns, cuts, cutCalls),
    keeps: (eventId) => !gone.has(eventId),
  };
}

const callsNamedIn = (row: Row): string[] => [
  ...(row.call === undefined ? [] : [row.call]),
  ...(row.makes ?? []).map(({ id }) => id),
];

function mayChange(row: Row, number: number, cuts: Cuts): boolean {
  if (cuts.thoughts.has(number) || cuts.texts.has(number)) return true;
  return callsNamedIn(row).some((call) => cuts.limits.has(call) || cuts.calls.has(call));
}
