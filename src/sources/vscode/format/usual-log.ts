/**
 * Replays a log by the beginnings of its lines: what VS Code has written needs no parsing before a turn is asked for. Nearly
 * all bytes are in changes of turns, and are so parsed once instead of twice.
 *
 * What was not parsed is trusted, so this is for work that can begin anew: whoever loads a line checks it, and the first
 * that is not as its beginning says throws `Surprise`.
 */
import { isUtf8 } from "node:buffer";
import { eachLine, type Line } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { CLOSE, CLOSE_LIST } from "../../../platform/json/bytes.ts";
import { isObject } from "../../log/jsonl.ts";
import type { Path } from "./json-outline.ts";
import { SHORT, visitRecord } from "./log-record.ts";
import { createReplay } from "./mutation-log.ts";
import type { ParsedSession } from "./parsed-session.ts";
import { KIND, type LogRecord, originIn } from "./record.ts";

/** A line is not what its beginning promised. */
export class Surprise extends Error {}

/** Nothing where anything but the usual stands in the log: it is then to be replayed with all of its lines parsed. */
export async function replayUsualLog(
  fs: SessionFs,
  path: string,
  maxLine: number,
): Promise<ParsedSession | undefined> {
  const replay = createReplay();
  let isUsual = true;
  const visit = (line: Line): void => {
    if (!isUsual) return;
    const change = line.number === 1 || line.cut > 0 ? undefined : toChange(line);
    if (change) replay.take(change);
    else if (line.cut > 0) isUsual = false;
    else
      visitRecord(line, false, (record, fault) => {
        if (record && !fault) replay.take(record);
        else isUsual = false;
      });
  };
  await eachLine(fs, path, visit, { maxLine, skipLong: true });
  if (!isUsual) return undefined;
  const parsed = replay.end();
  // Of turns that are gone not every line would be loaded, and so looked at.
  const isWhole = parsed.removed === undefined && parsed.dropped === undefined;
  return isWhole && parsed.faults.every(({ code }) => code === "record-unended") ? parsed : undefined;
}

/** As VS Code writes them: the kind and the path, then a value that goes on to the end of the line. */
const BEGINNING =
  /^\{"kind":([12]),"k":(\["requests",(?:0|[1-9]\d{0,8})(?:,(?:0|[1-9]\d{0,8}|"\w+"))+\]),"v":/;
const LONGEST_BEGINNING = 200;

interface Beginning {
  readonly kind: number;
  /** As it stands there. */
  readonly path: string;
}

function beginningOf(bytes: Buffer): Beginning | undefined {
  const [, kind, path] = BEGINNING.exec(bytes.toString("latin1", 0, LONGEST_BEGINNING)) ?? [];
  if (kind === undefined || path === undefined || bytes.at(-1) !== CLOSE) return undefined;
  // Behind a list that is pushed the length may stand that it is cut to first.
  const isPlain = Number(kind) === KIND.set || bytes.at(-2) === CLOSE_LIST;
  return isPlain ? { kind: Number(kind), path } : undefined;
}

function toChange(line: Line): LogRecord | undefined {
  // Of a short line the value may be held.
  if (line.bytes.length <= SHORT) return undefined;
  const beginning = beginningOf(line.bytes);
  if (!beginning) return undefined;
  const origin = originIn(line, ["v"]);
  const path = JSON.parse(beginning.path) as Path;
  const brings = { held: origin, origin };
  return { line, kind: beginning.kind, path, keep: undefined, value: undefined, brings };
}

/** Throws where a line that was taken by its beginning is something else. */
export function checkBeginning(bytes: Buffer, record: unknown): void {
  const beginning = beginningOf(bytes);
  if (!beginning) return; // it was parsed before
  const isSame =
    isObject(record) &&
    record.kind === beginning.kind &&
    JSON.stringify(record.k) === beginning.path &&
    Object.keys(record).length === MEMBERS &&
    isUtf8(bytes);
  if (!isSame) throw new Surprise();
}

/** Kind, path and value. */
const MEMBERS = 3;
