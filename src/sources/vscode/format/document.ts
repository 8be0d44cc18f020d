/** Reads the older form of a session: one JSON document. A torn or garbled one gives the turns that are whole. */
import { isUtf8 } from "node:buffer";
import type { Origin } from "../../../model/session/session.ts";
import { setMember } from "../../../model/values/member.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { isObject, type JsonObject } from "../../log/jsonl.ts";
import { createChangeTable, type TurnSlot } from "./change-table.ts";
import { type Path, parse, type Span } from "./json-outline.ts";
import { createLoad, outlineRange } from "./load.ts";
import type { LogOptions } from "./log-record.ts";
import type { Fault, Held, ParsedSession, ValueOrigin } from "./parsed-session.ts";
import { TURNS } from "./record.ts";

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

export async function readDocument(fs: SessionFs, path: string, options: LogOptions): Promise<ParsedSession> {
  const { size } = await fs.stat(path);
  if (size === 0) {
    return {
      head: {},
      turns: [],
      changes: createChangeTable(),
      hasTurns: false,
      faults: [{ code: "session-start-missing", message: "the file is empty" }],
    };
  }
  const faults: Fault[] = [];
  const opening = Buffer.from(await fs.read(path, { start: 0, end: 3 }));
  const start = opening.equals(BOM) ? 3 : 0;
  if (start > 0) {
    faults.push({
      code: "record-unreadable",
      line: 1,
      message: "there is a byte order mark before the document",
    });
  }
  const range = { start, end: size };
  const origin = { line: 1, ...range };
  if (options.hold) {
    const bytes = Buffer.from(await fs.read(path, range));
    if (!isUtf8(bytes)) {
      faults.push({ code: "record-encoding", message: "the file has bytes that are not UTF-8" });
    }
    const document = parse(bytes);
    if (isObject(document)) return { ...fromValue(document, origin), faults };
  }
  return outlined(fs, path, origin, options, faults);
}

function fromValue(document: JsonObject, origin: Origin): Omit<ParsedSession, "faults"> {
  const { [TURNS]: list, ...head } = document;
  const { changes, add } = createSlots();
  const turns = Array.isArray(list)
    ? list.map((value, index) => add({ value }, { ...origin, at: [TURNS, index] }))
    : [];
  return { head, turns, changes, hasTurns: Array.isArray(list) };
}

/** In a document every turn is set once. */
function createSlots() {
  const changes = createChangeTable();
  const add = (held: Held, origin: ValueOrigin): TurnSlot =>
    changes.add({ effect: "set", path: [], held, origin });
  return { changes, add };
}

async function outlined(
  fs: SessionFs,
  path: string,
  origin: Origin,
  options: LogOptions,
  faults: Fault[],
): Promise<ParsedSession> {
  const enters = (at: Path): boolean => at.length === 0 || (at.length === 1 && at[0] === TURNS);
  const outline = await outlineRange(fs, path, origin, enters);
  const load = createLoad(fs, path, options.maxLine);
  const head: JsonObject = {};
  const turns: TurnSlot[] = [];
  const { changes, add } = createSlots();
  const take = (span: Span): void => {
    const place = { start: span.start, end: span.end, at: [] };
    turns.push(add(place, { ...origin, at: span.path }));
  };
  let hasTurns = false;
  for (const span of outline.spans) {
    if (span.path[0] === TURNS) {
      hasTurns = true;
      if (span.path.length === 2) take(span);
    } else if (span.path.length === 1) {
      const { value } = await load({ start: span.start, end: span.end, at: [] });
      setMember(head, String(span.path[0]), value);
    }
  }
  if (outline.open?.path[0] === TURNS && outline.open.path.length === 2) take(outline.open);
  if (!outline.whole) faults.push({ code: "record-torn", message: "the document is incomplete or garbled" });
  // A document that could be held was parsed before: it is here because that failed.
  else if (options.hold)
    faults.push({ code: "record-unreadable", message: "the document is not a JSON object" });
  return { head, turns, changes, hasTurns, faults };
}
