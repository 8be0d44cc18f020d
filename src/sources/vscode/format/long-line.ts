/** Lines of a mutation log that are too long to hold: a whole session is often one. Read by their outline. */
import { setMember } from "../../../model/values/member.ts";
import { eachLine, type Line } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import type { JsonObject } from "../../log/jsonl.ts";
import type { Path, Span } from "./json-outline.ts";
import { createLoad, outlineRange } from "./load.ts";
import type { Fault } from "./parsed-session.ts";
import { KIND, type LogRecord, originIn, TURNS } from "./record.ts";

export interface LongLine {
  readonly record: LogRecord | undefined;
  readonly fault: Fault | undefined;
}

/** The lines of a log that are too long to hold, by their first byte. */
export async function readLongLines(
  fs: SessionFs,
  path: string,
  maxLine: number,
): Promise<Map<number, LongLine>> {
  const lines: Line[] = [];
  if ((await fs.stat(path)).size > maxLine) {
    const keepLong = (line: Line): void => void (line.end - line.start > maxLine && lines.push(line));
    await eachLine(fs, path, keepLong, { maxLine, skipLong: true });
  }
  const found = new Map<number, LongLine>();
  for (const line of lines) found.set(line.start, await readLongLine(fs, path, line, maxLine));
  return found;
}

const entersTurns = (path: Path): boolean =>
  path.length === 0 || (path[0] === "v" && (path.length === 1 || (path.length === 2 && path[1] === TURNS)));

async function readLongLine(fs: SessionFs, path: string, line: Line, maxLine: number): Promise<LongLine> {
  const load = createLoad(fs, path, maxLine);
  const outline = await outlineRange(fs, path, line, entersTurns);
  let cut = 0;
  const valueAt = async (span: Span | undefined): Promise<unknown> => {
    const loaded = span && (await load({ start: span.start, end: span.end, at: [] }));
    cut += loaded?.cut ?? 0;
    return loaded?.value;
  };
  const at = (...steps: Path): Span | undefined =>
    outline.spans.find(
      (span) => span.path.length === steps.length && steps.every((s, i) => span.path[i] === s),
    );
  const [kind, k, keep] = [await valueAt(at("kind")), await valueAt(at("k")), await valueAt(at("i"))];
  const whole = at("v");
  const depth = kind === KIND.initial ? 3 : 2;
  const turns = [...outline.spans, ...(outline.open ? [outline.open] : [])].filter(
    ({ path }) => path.length === depth && typeof path.at(-1) === "number",
  );
  let value: unknown;
  if (kind === KIND.initial) {
    const head: JsonObject = {};
    for (const span of outline.spans) {
      if (span.path.length === 2 && span.path[1] !== TURNS)
        setMember(head, String(span.path[1]), await valueAt(span));
    }
    value = head;
  } else if (!Array.isArray(k) || k[0] !== TURNS) value = await valueAt(whole);
  const list = kind === KIND.initial ? at("v", TURNS) : whole;
  const isList = turns.length > 0 || list?.holds === "list";
  const record: LogRecord = {
    line,
    kind,
    path: k,
    keep,
    value,
    brings: whole && { held: { start: whole.start, end: whole.end, at: [] }, origin: originIn(line, ["v"]) },
    ...(isList && {
      elements: turns.map((span) => ({
        held: { start: span.start, end: span.end, at: [] },
        origin: originIn(line, span.path),
      })),
    }),
  };
  if (outline.whole && cut === 0) return { record, fault: undefined };
  if (outline.whole) {
    const message = `${cut} bytes of long texts were left out`;
    return { record, fault: { code: "too-large", line: line.number, message } };
  }
  const fault: Fault = line.ended
    ? { code: "record-unreadable", line: line.number, message: "the line is not valid JSON" }
    : { code: "record-torn", line: line.number, message: "the last line stops in the middle of a record" };
  return { record: kind === KIND.initial ? record : undefined, fault };
}
