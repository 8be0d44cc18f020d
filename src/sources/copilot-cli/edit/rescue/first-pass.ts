/** Finds which lines of a log are intact, and which need repair. */
import type { Artifact } from "../../../../model/session/session.ts";
import { eachLine, type Line } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asString } from "../../../log/jsonl.ts";
import { type Judged, judge } from "../../log/records.ts";

/** Lines one after another, line feeds included. */
export interface Stretch {
  readonly isSound: boolean;
  readonly start: number;
  end: number;
  readonly line: number;
  /** Sound, and the one line that says session.start. */
  readonly isStart: boolean;
  /** Blank lines have none. */
  hasRecords: boolean;
  /** Of the last record in it. */
  id?: string;
  time?: string;
  /** The last line lacks its line feed. */
  isUnended: boolean;
}

const SEPARATORS = [Buffer.from("\u2028"), Buffer.from("\u2029")];
const MARK = Buffer.from("\ufeff");

/** `asCopy`: the start will name another session anyway. `seen` is told of every line. */
export async function stretchesOf(
  fs: SessionFs,
  { id, path }: Artifact,
  asCopy = false,
  seen?: (line: Line, judged: Judged) => void,
): Promise<Stretch[]> {
  const stretches: Stretch[] = [];
  let hasStart = false;
  const visit = (line: Line): void => {
    const judged = judge(line);
    const { record } = judged;
    seen?.(line, judged);
    const isFirstStart = !hasStart && isTolerated(judged) && record?.type === "session.start";
    // Its server refuses a log that names another session; its command line does not care.
    const isForeign = !asCopy && isFirstStart && asString(record.data.sessionId) !== id;
    if (isFirstStart && line.cut === 0) hasStart = true;
    const last = stretches.at(-1);
    const isSound = isTolerated(judged) && !isForeign && !isMarked(line);
    const isWeak = isSound && record === undefined && judged.fault?.code !== "too-large";
    // What is blank or says nothing may be the middle of a text that was broken up.
    if (last && !last.isSound && (isWeak || !isSound)) last.end = line.end + (line.ended ? 1 : 0);
    else if (last?.isSound && isSound && !last.isStart && !isFirstStart) grow(last, line, judged);
    else stretches.push(grow(begin(line, isSound, isSound && isFirstStart), line, judged));
  };
  await eachLine(fs, path, visit);
  return stretches;
}

const begin = ({ start, end, number }: Line, isSound: boolean, isStart: boolean): Stretch => ({
  isSound,
  isStart,
  start,
  end,
  line: number,
  hasRecords: false,
  isUnended: false,
});

function grow(stretch: Stretch, { end, ended }: Line, { record, fault }: Judged): Stretch {
  stretch.end = end + (ended ? 1 : 0);
  stretch.isUnended = !ended;
  stretch.hasRecords ||= record !== undefined || fault !== undefined;
  if (record?.id !== undefined) stretch.id = record.id;
  if (record?.time !== undefined) stretch.time = record.time;
  return stretch;
}

/** The program passes over what it does not know, and parses what is too deep for us; none of it is ours to change. */
const TOLERATED: readonly string[] = ["record-unknown", "too-deep", "too-large"];
const isTolerated = ({ fault }: Judged): boolean => fault === undefined || TOLERATED.includes(fault.code);

/** Some versions stumble over byte order marks, and some end a line at each separator. */
const isMarked = ({ bytes, start, end, cut }: Line): boolean =>
  (cut === 0 && end - start > bytes.length) ||
  bytes.subarray(0, MARK.length).equals(MARK) ||
  SEPARATORS.some((separator) => bytes.includes(separator));
