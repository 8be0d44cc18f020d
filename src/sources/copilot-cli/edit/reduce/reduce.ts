/** Reduces a log: the pieces that are left, and the ledger of what was removed. */

import type { Piece } from "../../../../model/plan.ts";
import { toNote } from "../../../../model/reduce/cut-text.ts";
import { type Cuts, isDropped, toCuts, toLedger } from "../../../../model/reduce/cuts.ts";
import { fitBudget } from "../../../../model/reduce/ladder.ts";
import { weigherFor } from "../../../../model/reduce/passage.ts";
import type { Ledger, Reduction } from "../../../../model/reduce/reduction.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { eachLine, type Line } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { changeMembers } from "../../../../platform/json/members.ts";
import { asString, type JsonObject } from "../../../log/jsonl.ts";
import { createPieces } from "../../../log/pieces.ts";
import type { LogOffsets } from "../cut/log-offsets.ts";
import { shorten } from "./line.ts";
import { type Row, readRows } from "./rows.ts";

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
  readonly placeholder?: TurnPlaceholder;
}

/** What takes the place of the turns that go. */
export interface TurnPlaceholder {
  /** Made once it is certain which turns go: records without the links to those before them. */
  records(dropped: ReadonlySet<number>): Promise<readonly JsonObject[]>;
  /** It has taken up every earlier summary, so they go, too. */
  readonly replacesSummaries: boolean;
}

/** What a reduction must know of each line; the same for every budget. */
export async function readRowsFor(
  fs: SessionFs,
  { path }: Artifact,
  { size, turns, compactions, cleared = 0 }: LogOffsets,
  { reduction, count }: { readonly reduction: Reduction; readonly count: (text: string) => number },
): Promise<readonly Row[]> {
  const weigh = weigherFor(reduction, count);
  // What a summary stands for costs nothing any more, so there is no need to count it.
  const covered = Math.max(cleared, compactions.at(-1)?.start ?? 0);
  const rows = await readRows(fs, path, size, turns, { weigh, covered });
  const isCovered = rows.every(({ start, kind, unseen }) => start >= covered || kind === "prompt" || unseen);
  return isCovered ? rows : readRows(fs, path, size, turns, { weigh, covered: 0 });
}

export async function reduce(
  fs: SessionFs,
  artifact: Artifact,
  seen: LogOffsets,
  rows: readonly Row[],
  { reduction, start, placeholder }: ReduceOptions,
): Promise<Reduced> {
  const { id, path } = artifact;
  const turns = seen.turns.length;
  const cuts = toCuts(rows, turns, reduction, `copilot-cli:${id}`);
  if (reduction.budget !== undefined) {
    if (placeholder?.replacesSummaries) for (const turn of turnsSummarized(rows)) cuts.turns.add(turn);
    fitBudget(rows, cuts, { turns, budget: reduction.budget });
  }
  const isReplaced = placeholder?.replacesSummaries === true && cuts.turns.size > 0;
  const goes = (row: Row, at: number): boolean =>
    isDropped(row, at, cuts) || (isReplaced && isOlder(row, cuts));
  const gone = new Set(rows.flatMap((row, at) => (goes(row, at) && row.id !== undefined ? [row.id] : [])));
  let waiting = cuts.turns.size > 0 ? await placeholder?.records(cuts.turns) : undefined;
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
    } else if (goes(row, at)) return;
    else {
      if (waiting && row.turn >= 0 && !cuts.turns.has(row.turn)) {
        pieces.write(toLines(waiting, last));
        last = asString(waiting.at(-1)?.id) ?? last;
        waiting = undefined;
      }
      if (line.cut > 0) {
        // Too long to be held, so too long to be changed.
        pieces.keep(row.start, row.end);
        last = row.id ?? last;
        return;
      }
      const before = line.bytes.toString("utf8");
      const short = mayChange(row, at, cuts)
        ? shorten(before, row, at, cuts, note, (call) => cutCalls.add(call))
        : before;
      // Links the chain of records across a cut.
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

/** Each record with the link to the one before it, as the lines of a log. */
export function toLines(records: readonly JsonObject[], before: string | undefined): string {
  let parentId = before ?? null;
  return records
    .map((record) => {
      const line = `${JSON.stringify({ ...record, parentId })}\n`;
      parentId = asString(record.id) ?? null;
      return line;
    })
    .join("");
}

/** What only an earlier summary still tells the model of; without that one they would be heard again. */
function turnsSummarized(rows: readonly Row[]): number[] {
  const summary = rows.findLast(({ kind }) => kind === "summary");
  return Array.from({ length: Math.max(0, summary?.turn ?? 0) }, (_, turn) => turn);
}

/** Earlier summaries, and all that was said before the first turn when that goes. */
function isOlder({ kind, ofCompaction, turn }: Row, { turns }: Cuts): boolean {
  if (kind === "summary" || ofCompaction) return true;
  return turn < 0 && turns.has(0) && kind !== "setting" && kind !== "other";
}

export const callsNamedIn = (row: Row): string[] => [
  ...(row.call === undefined ? [] : [row.call]),
  ...(row.makes ?? []).map(({ id }) => id),
];

/** Whether these cuts concern a row at all. */
export function mayChange(row: Row, number: number, cuts: Cuts): boolean {
  if (cuts.thoughts.has(number) || cuts.texts.has(number)) return true;
  return callsNamedIn(row).some((call) => cuts.limits.has(call) || cuts.calls.has(call));
}
