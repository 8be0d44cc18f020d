/** The lines of a log that the first turns of a session are made of. */
import { MAX_LINE } from "../../../platform/lines.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { eachRecord } from "../log-record.ts";
import { KIND, type LogRecord, TURNS } from "../record.ts";

interface Range {
  readonly start: number;
  end: number;
}

/**
 * Lines that only concern later turns are left out. Others may bring later turns along, so the list of turns must be cut
 * behind them; until then it holds the first turns as they were at every moment, and behind those whatever there is.
 */
export async function linesOf(fs: SessionFs, path: string, size: number, turns: number): Promise<Range[]> {
  const ranges: Range[] = [];
  let length = 0;
  await eachRecord(fs, path, { maxLine: MAX_LINE, hold: false }, (record) => {
    if (!record) return;
    const before = length;
    length = lengthAfter(record, before);
    if (isBeyond(record, before, turns)) return;
    const { start, end } = record.line;
    const last = ranges.at(-1);
    const feed = Math.min(end + 1, size);
    if (last?.end === start) last.end = feed;
    else ranges.push({ start, end: feed });
  });
  return ranges;
}

/** How many turns there are behind a record. */
function lengthAfter({ kind, path, keep, elements }: LogRecord, before: number): number {
  const [first, index, ...rest] = kind === KIND.initial ? [TURNS] : (path as (string | number)[]);
  if (first !== TURNS) return before;
  const brings = elements?.length ?? 0;
  if (index === undefined)
    return kind === KIND.push ? ((keep as number | undefined) ?? before) + brings : brings;
  return rest.length === 0 && kind === KIND.set ? Math.max(before, Number(index) + 1) : before;
}

function isBeyond({ kind, path, keep }: LogRecord, before: number, turns: number): boolean {
  if (kind === KIND.initial) return false;
  const [first, index] = path as (string | number)[];
  if (first !== TURNS) return false;
  if (index !== undefined) return Number(index) >= turns;
  return kind === KIND.push && ((keep as number | undefined) ?? before) >= turns;
}
