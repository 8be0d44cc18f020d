/** Repairs the lines of a log one by one: those that are sound keep their bytes, all others are split and repaired. */
import type { Piece } from "../../../../model/plan.ts";
import type { Repair } from "../../../../model/plan-facts.ts";
import { firstIndexWhere } from "../../../../model/values/halving.ts";
import { uuidOf } from "../../../../model/values/stable-id.ts";
import { toFileDate } from "../../../../model/values/time.ts";
import type { Line } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asArray, asObject, asString, type JsonObject } from "../../../log/jsonl.ts";
import { foreignIn, type Item, itemsOf, lossOf, type PartItem, whatOfPart } from "../../../rescue/items.ts";
import { parseObject } from "../../../rescue/json.ts";
import type { RecordShape } from "../../../rescue/parts.ts";
import { isChained } from "../../records.ts";
import { type Decode, decodeWhole } from "../../skim.ts";
import { type FirstPass, firstPass } from "../../tree/first-pass.ts";
import { NONE, type RowTable } from "../../tree/row-table.ts";
import { idsOf } from "../../tree/rows.ts";
import { faultOf, halfOf, isRecord, repairRow, typeOf } from "./row.ts";

export interface DamagedLog {
  readonly path: string;
  /** The id of the session. */
  readonly id: string;
  readonly mtimeMs: number;
  /** The log of a sub-agent. */
  readonly isAgent?: boolean;
}

export interface RepairedLines {
  /** What the sound lines say. */
  readonly facts: FirstPass;
  /** Nothing when every line is sound. */
  readonly pieces?: readonly Piece[];
  readonly repairs: readonly Repair[];
  /** The line of the damaged log that a line of the repaired one was. */
  lineOf(line: number): number;
}

/** How the program begins a record: rows with the one before them, and notes with their kind. */
const ROW_SHAPE: RecordShape = {
  begins:
    /\{\s*"(?:(?:parentUuid|logicalParentUuid)"\s*:|type"\s*:\s*"(?:user|assistant|system|attachment|progress|last-prompt|custom-title|ai-title|agent-name|summary|queue-operation|file-history-snapshot|file-history-delta|mode|permission-mode|cost-state|tools-used|atis-latch|api-request|api-request-shape|api-request-blob)")/g,
  isRecord,
};

/** Lines one after another, line feeds included. */
interface Stretch {
  readonly isSound: boolean;
  readonly start: number;
  end: number;
  readonly line: number;
  lines: number;
  /** The last line lacks its line feed. */
  isUnended: boolean;
}

export const WHOLE_LINES = Number.POSITIVE_INFINITY;

export async function repairLines(fs: SessionFs, log: DamagedLog): Promise<RepairedLines> {
  const stretches: Stretch[] = [];
  const decode: Decode = (line) => {
    const decoded = decodeWhole(line);
    add(stretches, line, decoded);
    return decoded;
  };
  const facts = await firstPass(fs, log.path, () => undefined, {
    ...{ decode, maxLine: WHOLE_LINES },
    ...(log.isAgent && { isAgent: true }),
  });
  if (stretches.every(({ isSound }) => isSound)) return { facts, repairs: [], lineOf: (line) => line };
  const items = await itemsOf(fs, log.path, stretches, ROW_SHAPE);
  return { facts, ...assemble(items, facts.rows, log) };
}

function add(stretches: Stretch[], line: Line, decoded: ReturnType<Decode>): void {
  const isBlank = decoded.kind === "blank";
  const isSound = isBlank || isTolerated(line, decoded);
  // What is blank or says nothing may be the middle of a record that was broken up.
  const isWeak = isBlank || (decoded.kind === "record" && asString(decoded.record.type) === undefined);
  const last = stretches.at(-1);
  const end = line.end + (line.ended ? 1 : 0);
  if (last && (last.isSound === isSound || (!last.isSound && isWeak))) {
    last.end = end;
    last.lines++;
    last.isUnended = !line.ended;
  } else
    stretches.push({ isSound, start: line.start, end, line: line.number, lines: 1, isUnended: !line.ended });
}

/** What is too long to be held cannot be changed, and the program passes over what it does not know. */
function isTolerated(line: Line, decoded: ReturnType<Decode>): boolean {
  if (line.cut > 0) return decoded.kind === "record" || line.isPartial === true;
  if (decoded.kind !== "record") return false;
  return !decoded.replaced && faultOf(decoded.record) === undefined;
}

interface Out {
  readonly pieces: readonly Piece[];
  readonly line: number;
  readonly lines: number;
}

function assemble(
  items: readonly Item<Stretch>[],
  table: RowTable,
  log: DamagedLog,
): Omit<RepairedLines, "facts"> {
  const { path } = log;
  const outs: Out[] = [];
  const repairs: Repair[] = [];
  const found = new Map<PartItem, string>();
  for (const item of items) {
    if (item.kind !== "part" || item.isJoined) continue;
    const text = item.part.kind === "record" ? item.part.text : halfOf(item.part.text);
    if (item.part.kind !== "other" && text !== undefined) found.set(item, text);
  }
  const ids = createIds(found, table, log);
  let time = firstTime(table) ?? toFileDate(log.mtimeMs).toISOString();
  for (const [index, item] of items.entries()) {
    if (item.kind === "sound") {
      const { start, end, line, lines, isUnended } = item.stretch;
      const isMore = index < items.length - 1;
      outs.push({
        pieces: [{ file: path, start, end }, ...(isUnended && isMore ? [{ text: "\n" }] : [])],
        line,
        lines,
      });
      time = lastTime(table, end) ?? time;
      continue;
    }
    if (item.kind === "part" && item.isJoined) continue;
    const text = item.kind === "part" ? found.get(item) : undefined;
    if (item.kind === "lost" || text === undefined) {
      repairs.push(lossOf(path, item));
      continue;
    }
    const { part, at, line } = item;
    const repaired = repairRow(text, { uuid: ids.idOf(item), time });
    const record = parseObject(repaired.text) ?? {};
    if (isChained(record)) time = asString(record.timestamp) ?? time;
    outs.push({ pieces: [{ text: `${repaired.text}\n` }], line, lines: 1 });
    const place = { path, line, start: at, end: at + part.bytes.length };
    const isTorn = part.kind === "torn";
    const why = repaired.why === undefined || isTorn ? [] : [`${repaired.why}: repaired`];
    for (const what of [...whatOfPart(item), ...why]) repairs.push({ ...place, what });
    repairs.push(...foreignIn(path, item));
  }
  return { pieces: outs.flatMap(({ pieces }) => pieces), repairs, lineOf: createLines(outs) };
}

/** So many rows behind a call are looked through for its result. */
const REACH = 16;

/** A row without an id is the one that the next row, or its result, says it follows, where no other one is that. */
function createIds(
  found: ReadonlyMap<PartItem, string>,
  table: RowTable,
  { id }: DamagedLog,
): { idOf(item: PartItem): string } {
  const records = [...found].map(([item, text]) => ({ item, record: parseObject(text) ?? {} }));
  const taken = new Set(records.flatMap(({ record }) => asString(record.uuid) || []));
  const isFree = (uuid: string): boolean =>
    !taken.has(uuid) && (!table.names.has(uuid) || table.find(table.names.of(uuid)) === NONE);
  const ids = new Map<PartItem, string>();
  for (const [index, { item, record }] of records.entries()) {
    if (asString(record.uuid) || !isChained({ type: typeOf(record) })) continue;
    const named = parentsBehind(table, item.at, record, records[index + 1]);
    const uuid = named.find(isFree) ?? uuidOf(`${id}:${item.at}`);
    taken.add(uuid);
    ids.set(item, uuid);
  }
  return { idOf: (item) => ids.get(item) ?? "" };
}

/** The parents that the next row and the results of its calls name. */
function parentsBehind(
  table: RowTable,
  place: number,
  record: JsonObject,
  next: { readonly item: PartItem; readonly record: JsonObject } | undefined,
): string[] {
  const calls = new Set(idsOf(asArray(asObject(record.message)?.content), "tool_use", "id"));
  const first = rowFrom(table, place);
  const isRepairedNext = next && (first === table.size || next.item.at < table.start(first));
  const named: string[] = isRepairedNext ? [asString(next.record.parentUuid) ?? ""] : [];
  for (let row = first; row < Math.min(table.size, first + REACH); row++) {
    const isNext = row === first && !isRepairedNext;
    const isResult = table.answers(row).some((call) => calls.has(table.names.text(call)));
    if ((isNext || isResult) && table.parent(row) !== NONE) named.push(table.names.text(table.parent(row)));
  }
  return named.filter((each) => each !== "");
}

/** The first row that begins at a place or behind it. */
const rowFrom = (table: RowTable, place: number): number =>
  firstIndexWhere(table.size, (row) => table.start(row) >= place);

function firstTime(table: RowTable): string | undefined {
  for (let row = 0; row < table.size; row++) {
    const time = table.time(row);
    if (time !== undefined) return new Date(time).toISOString();
  }
  return undefined;
}

/** Of the rows before a place. */
function lastTime(table: RowTable, place: number): string | undefined {
  for (let row = rowFrom(table, place) - 1; row >= 0; row--) {
    const time = table.time(row);
    if (time !== undefined) return new Date(time).toISOString();
  }
  return undefined;
}

function createLines(outs: readonly Out[]): (line: number) => number {
  let lines = 0;
  const ends = outs.map((out) => (lines += out.lines));
  return (line) => {
    const at = firstIndexWhere(ends.length, (index) => (ends[index] ?? 0) >= line);
    const out = outs[at];
    return out ? out.line + (line - (ends[at - 1] ?? 0) - 1) : line;
  };
}
