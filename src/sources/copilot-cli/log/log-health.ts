/** Finds oddities of a log that the program accepts: byte order marks, line separators, and a late session.start. */
import type { ProblemCode } from "../../../model/problem.ts";
import { eachLine, type Line } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { judge } from "./records.ts";

export interface Oddity {
  readonly code: ProblemCode;
  readonly line: number;
  readonly message: string;
}

/** Byte order mark, line and paragraph separator, each of three bytes. */
const MARKS = ["\ufeff", "\u2028", "\u2029"].map((mark) => Buffer.from(mark));
const START = Buffer.from('"session.start"');

/** The first of each kind. Lines without either are passed over by their bytes alone. */
export async function lookCloser(fs: SessionFs, path: string): Promise<Oddity[]> {
  const odd = new Map<ProblemCode, Oddity>();
  const note = (code: ProblemCode, line: number, message: string): void => {
    if (!odd.has(code)) odd.set(code, { code, line, message });
  };
  let [hasRecords, hasStart] = [false, false];
  const isMarked = (bytes: Buffer): boolean => MARKS.some((mark) => bytes.includes(mark));
  const pass = (bytes: Buffer, start: number, end: number): boolean => {
    const line = bytes.subarray(start, end);
    if (isMarked(line) || (!hasStart && line.includes(START))) return false;
    hasRecords ||= line.length > 1;
    return true;
  };
  const visit = (line: Line): void => {
    const hadMark = line.cut === 0 && line.end - line.start > line.bytes.length;
    if (hadMark || isMarked(line.bytes))
      note("record-marked", line.number, "the line has a byte order mark or an unescaped line separator");
    const isStart = !hasStart && judge(line).record?.type === "session.start";
    if (isStart && hasRecords) note("session-start-late", line.number, "session.start is not at the start");
    hasStart ||= isStart;
    hasRecords ||= line.bytes.length > 1;
  };
  await eachLine(fs, path, visit, { pass });
  return [...odd.values()];
}
