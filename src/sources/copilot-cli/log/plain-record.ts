/**
 * The short way to the record of a line that is just as Copilot CLI writes it, which nearly all are: its ends are known
 * by their bytes, so only what stands between them is parsed and checked. `records.ts` has the long way for all others;
 * a test compares both.
 */
import { isTimely } from "../../../model/values/time.ts";
import type { Line } from "../../../platform/fs/lines.ts";
import { QUOTE } from "../../../platform/json/bytes.ts";
import { isObject, parsePart } from "../../log/jsonl.ts";
import { findTail, idIn, says, timeIn } from "./envelope.ts";
import { eventTypes, isKnownType } from "./event-types.ts";
import type { CopilotRecord } from "./records.ts";
import { answerText } from "./skim.ts";
import { isPlainTime, isSoundData } from "./validate.ts";

const BEGIN = Buffer.from('{"type":"');
const DATA = Buffer.from('","data":');
/** No type has a longer name. */
const LONGEST_TYPE = 64;
/** One text for each type: what is asked of types again and again is found by it sooner than by a text of the line's own. */
const NAMES: ReadonlyMap<string, string> = new Map(
  [...eventTypes.keys()].filter(isKnownType).map((type) => [type, type]),
);

const ANSWER = "assistant.message";

/** Nothing for a line that is at fault, or only different. */
export function plainRecord({ bytes, isPartial }: Line, skims = false): CopilotRecord | undefined {
  if (isPartial || !says(bytes, 0, BEGIN)) return undefined;
  let end = BEGIN.length;
  while (end < LONGEST_TYPE && bytes[end] !== QUOTE) end++;
  if (!says(bytes, end, DATA)) return undefined;
  const start = end + DATA.length;
  const tail = findTail(bytes, start, bytes.length);
  const type = tail < 0 ? undefined : NAMES.get(bytes.toString("latin1", BEGIN.length, end));
  if (type === undefined) return undefined;
  const time = timeIn(bytes, tail);
  if (!isPlainTime(time) || !isTimely(time)) return undefined;
  const data = parsePart(
    skims && type === ANSWER ? answerText(bytes, start, tail) : bytes.toString("utf8", start, tail),
  );
  if (!isObject(data) || data.startTime !== undefined || !isSoundData(type, data)) return undefined;
  return { type, data, ephemeral: false, id: idIn(bytes, tail), time };
}
