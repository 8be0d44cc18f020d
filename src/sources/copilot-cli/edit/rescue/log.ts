/**
 * Repairs a damaged log so that the program resumes it: intact lines keep their bytes, all others are split and
 * repaired.
 */
import type { Piece } from "../../../../model/plan.ts";
import type { Repair } from "../../../../model/plan-facts.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { printed } from "../../../../model/text/printed.ts";
import { uuidOf } from "../../../../model/values/stable-id.ts";
import { toFileDate } from "../../../../model/values/time.ts";
import type { Line } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { changeMembers } from "../../../../platform/json/members.ts";
import { asObject, asString } from "../../../log/jsonl.ts";
import { foreignIn, type Item, itemsOf, lossOf, whatOfPart } from "../../../rescue/items.ts";
import { complete, parseObject } from "../../../rescue/json.ts";
import type { Part, RecordShape } from "../../../rescue/parts.ts";
import { eventTypes } from "../../log/event-types.ts";
import type { Judged } from "../../log/records.ts";
import { type Stretch, stretchesOf } from "./first-pass.ts";
import { repairRecord } from "./record.ts";

export interface RescuedLog {
  readonly pieces: readonly Piece[];
  /** None when nothing is wrong. */
  readonly repairs: readonly Repair[];
}

/** How Copilot CLI begins a record, and what one has beside its type. */
export const EVENT_SHAPE: RecordShape = {
  begins: /\{\s*"type"\s*:\s*"(?:abort|[a-z_]+(?:\.[A-Za-z_]+)+)"/g,
  isRecord: (value) =>
    asString(value.type) !== undefined && ("data" in value || "timestamp" in value || "parentId" in value),
};

interface Out {
  /** A whole line, or several. */
  readonly pieces: readonly Piece[];
  readonly line: number;
  readonly isStart: boolean;
  readonly hasRecords: boolean;
  readonly repaired?: RepairedRecord;
}

/** A record that was not sound as it stood. */
export interface RepairedRecord {
  readonly id: string;
  /** The record before it. */
  readonly after: string | undefined;
  /** A whole line. */
  readonly text: string;
  readonly line: number;
}

interface RescueOptions {
  /** The start will name another session anyway. */
  readonly asCopy?: boolean;
  /** Told of every line as it stands. */
  readonly seen?: ((line: Line, judged: Judged) => void) | undefined;
}

export async function rescueLog(
  fs: SessionFs,
  artifact: Artifact,
  { asCopy = false, seen }: RescueOptions = {},
): Promise<RescuedLog> {
  const { outs, repairs, began } = await repairLines(fs, artifact, asCopy, seen);
  const found = outs.find(({ isStart }) => isStart);
  const repair = (what: string, line?: number): void =>
    void repairs.push({ path: artifact.path, what, ...(line !== undefined && { line }) });
  if (!found) {
    repair(
      outs.length === 0
        ? "the log is empty: a session.start was added"
        : "session.start is missing: one was added at the start",
    );
    return { pieces: [{ text: startOf(artifact.id, began) }, ...toPieces(outs)], repairs };
  }
  const before = outs.slice(0, outs.indexOf(found));
  if (before.some(({ hasRecords }) => hasRecords))
    repair("session.start is not at the start: moved there", found.line);
  return { pieces: toPieces([found, ...outs.filter((out) => out !== found)]), repairs };
}

/** Only what had to be repaired. */
export async function repairedRecords(fs: SessionFs, artifact: Artifact): Promise<RepairedRecord[]> {
  const { outs } = await repairLines(fs, artifact);
  return outs.flatMap(({ repaired }) => repaired ?? []);
}

async function repairLines(fs: SessionFs, artifact: Artifact, asCopy = false, seen?: RescueOptions["seen"]) {
  const stretches = await stretchesOf(fs, artifact, asCopy, seen);
  const items = await itemsOf(fs, artifact.path, stretches, EVENT_SHAPE);
  const time = stretches.find((each) => each.time !== undefined)?.time;
  const began = time ?? toFileDate(artifact.fingerprint.mtimeMs).toISOString();
  return { ...repair(items, artifact, began), began };
}

function repair(
  items: readonly Item<Stretch>[],
  { id, path }: Artifact,
  began: string,
): { outs: Out[]; repairs: Repair[] } {
  const outs: Out[] = [];
  const repairs: Repair[] = [];
  let hasStart = false;
  let last: { id: string | undefined; time: string } = { id: undefined, time: began };
  for (const item of items) {
    if (item.kind === "sound") {
      const { start, end, isUnended, isStart, hasRecords, line } = item.stretch;
      const pieces = [{ file: path, start, end }, ...(isUnended ? [{ text: "\n" }] : [])];
      outs.push({ pieces, line, isStart, hasRecords });
      hasStart ||= isStart;
      if (isUnended)
        repairs.push({
          path,
          what: "the last line has no line feed, so the next record would be joined to it: line feed added",
        });
      last = { id: item.stretch.id ?? last.id, time: item.stretch.time ?? last.time };
      continue;
    }
    if (item.kind === "lost") {
      repairs.push(lossOf(path, item));
      continue;
    }
    if (item.isJoined) continue;
    const { part, at, line } = item;
    const place = { path, line, start: at, end: at + part.bytes.length };
    const text = part.kind === "record" ? part.text : halfOf(part);
    if (text === undefined) {
      repairs.push(lossOf(path, item));
      continue;
    }
    const repaired = repairRecord(text, { session: id, place: at, ...last });
    const record = parseObject(repaired.text) ?? {};
    const isStart = record.type === "session.start" && !hasStart;
    hasStart ||= isStart;
    const isForeign = isStart && asString(asObject(record.data)?.sessionId) !== id;
    const whats = [
      ...whatOfPart(item),
      ...(repaired.why === undefined || part.kind === "torn" ? [] : [`${repaired.why}: repaired`]),
      ...(isForeign ? ["session.start names another session: corrected"] : []),
    ];
    const own = isForeign ? changeMembers(repaired.text, { sessionId: id }, ["data"]) : repaired.text;
    const recordId = asString(record.id);
    outs.push({
      pieces: [{ text: `${own}\n` }],
      line,
      isStart,
      hasRecords: true,
      ...(recordId !== undefined && { repaired: { id: recordId, after: last.id, text: `${own}\n`, line } }),
    });
    repairs.push(...whats.map((what) => ({ ...place, what })));
    repairs.push(...foreignIn(path, item));
    last = { id: asString(record.id) ?? last.id, time: asString(record.timestamp) ?? last.time };
  }
  return { outs, repairs };
}

/** What a record that was cut off still says, when that is worth having. */
function halfOf({ kind, text }: Part): string | undefined {
  const whole = kind === "torn" ? complete(text) : undefined;
  const record = whole === undefined ? undefined : parseObject(whole);
  const data = asObject(record?.data);
  const says =
    asString(data?.content) || asString(asObject(data?.result)?.content) || asString(data?.sessionId);
  return eventTypes.get(printed(record?.type))?.isWorthHalf && says ? whole : undefined;
}

const toPieces = (outs: readonly Out[]): Piece[] => outs.flatMap(({ pieces }) => pieces);

const startOf = (sessionId: string, time: string): string =>
  `${JSON.stringify({
    type: "session.start",
    data: {
      sessionId,
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "unknown",
      startTime: time,
    },
    id: uuidOf(`${sessionId}:start`),
    timestamp: time,
    parentId: null,
  })}\n`;
