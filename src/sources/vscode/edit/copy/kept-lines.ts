/** The lines of a log that the first turns of a session are made of. */
import { append } from "../../../../model/values/lists.ts";
import { type Line, MAX_LINE } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { createOutliner, type Path, type Span } from "../../format/json-outline.ts";
import { eachRecord } from "../../format/log-record.ts";
import type { ValuePlace } from "../../format/parsed-session.ts";
import { KIND, type LogRecord, TURNS } from "../../format/record.ts";
import type { Edit } from "../patch/amend-text.ts";

interface Range {
  readonly start: number;
  end: number;
}

export interface KeptLines {
  readonly ranges: readonly Range[];
  /** Later turns in lines that bring earlier ones, too. */
  readonly cuts: readonly Edit[];
}

/**
 * Lines that only concern later turns are left out. Of others, later turns are cut where they stand at the end of what
 * is brought. The list of turns must be cut once more behind them all: it holds the first turns as they were at every
 * moment, and behind those whatever there is.
 */
export async function linesOf(fs: SessionFs, path: string, size: number, turns: number): Promise<KeptLines> {
  const ranges: Range[] = [];
  const cuts: Edit[] = [];
  let length = 0;
  await eachRecord(fs, path, { maxLine: MAX_LINE, hold: false }, (record) => {
    if (!record) return;
    const before = length;
    length = lengthAfter(record, before);
    if (isBeyond(record, before, turns)) return;
    append(cuts, cutElements(record, before, turns));
    const { start, end } = record.line;
    const last = ranges.at(-1);
    const feed = Math.min(end + 1, size);
    if (last?.end === start) last.end = feed;
    else ranges.push({ start, end: feed });
  });
  return { ranges, cuts };
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

/** All turns behind those that stay, at the end of a list of turns. */
function cutElements({ kind, path, keep, elements, line }: LogRecord, before: number, turns: number): Edit[] {
  const isList = kind === KIND.initial || ((path as Path)[0] === TURNS && (path as Path).length === 1);
  const first = kind === KIND.push ? ((keep as number | undefined) ?? before) : 0;
  const [kept, all] = [turns - first, elements?.length ?? 0];
  if (!isList || kept < 1 || all <= kept) return [];
  const places = line.cut > 0 ? elements?.map(({ held }) => held as ValuePlace) : placesIn(line, kind);
  const [last, end] = [places?.[kept - 1], places?.at(-1)];
  return last && end ? [{ start: last.end, end: end.end, text: "" }] : [];
}

/** Where the elements stand that a short line brings. */
function placesIn(line: Line, kind: unknown): Span[] {
  const list: Path = kind === KIND.initial ? ["v", TURNS] : ["v"];
  const enter = (at: Path): boolean => at.length <= list.length && at.every((step, i) => step === list[i]);
  const outliner = createOutliner(enter, line.end - line.bytes.length);
  outliner.push(line.bytes);
  const { spans } = outliner.end();
  return spans.filter(
    ({ path: at }) => at.length === list.length + 1 && list.every((step, i) => step === at[i]),
  );
}

function isBeyond({ kind, path, keep }: LogRecord, before: number, turns: number): boolean {
  if (kind === KIND.initial) return false;
  const [first, index] = path as (string | number)[];
  if (first !== TURNS) return false;
  if (index !== undefined) return Number(index) >= turns;
  return kind === KIND.push && ((keep as number | undefined) ?? before) >= turns;
}
