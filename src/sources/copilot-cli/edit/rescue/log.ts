/**
 * Repairs a damaged log so that the program resumes it: intact lines keep their bytes, all others are split and
 * repaired.
 */
import { isUtf8 } from "node:buffer";
import type { Piece } from "../../../../model/plan.ts";
import type { Repair } from "../../../../model/plan-facts.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { printed } from "../../../../model/text/printed.ts";
import { append } from "../../../../model/values/lists.ts";
import { uuidOf } from "../../../../model/values/stable-id.ts";
import { toFileDate } from "../../../../model/values/time.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { changeMembers } from "../../../../platform/json/members.ts";
import { asObject, asString } from "../../../jsonl.ts";
import { eventTypes } from "../../log/event-types.ts";
import { type Stretch, stretchesOf } from "./first-pass.ts";
import { complete, parseObject } from "./json.ts";
import { foreignBytes, joined, type Part, partsOf } from "./parts.ts";
import { repairRecord } from "./record.ts";
import { type Section, sectionsOf } from "./sections.ts";

export interface RescuedLog {
  readonly pieces: readonly Piece[];
  /** None when nothing is wrong. */
  readonly repairs: readonly Repair[];
}

/** What the log is made of, in its order: sound lines, and parts of damaged ones. */
type Item =
  | { readonly kind: "sound"; readonly stretch: Stretch }
  | Extract<Section, { kind: "lost" }>
  | {
      readonly kind: "part";
      part: Part;
      readonly at: number;
      readonly line: number;
      half?: number;
      /** It went to its other half. */
      isJoined?: boolean;
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

export async function rescueLog(
  fs: SessionFs,
  artifact: Artifact,
  { asCopy = false }: { readonly asCopy?: boolean } = {},
): Promise<RescuedLog> {
  const { outs, repairs, began } = await repairLines(fs, artifact, asCopy);
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

async function repairLines(fs: SessionFs, artifact: Artifact, asCopy = false) {
  const stretches = await stretchesOf(fs, artifact, asCopy);
  const items: Item[] = [];
  for (const stretch of stretches) {
    if (stretch.isSound) items.push({ kind: "sound", stretch });
    else append(items, await readStretch(fs, artifact.path, stretch));
  }
  joinHalves(items);
  const time = stretches.find((each) => each.time !== undefined)?.time;
  const began = time ?? toFileDate(artifact.fingerprint.mtimeMs).toISOString();
  return { ...repair(items, artifact, began), began };
}

async function readStretch(fs: SessionFs, path: string, stretch: Stretch): Promise<Item[]> {
  const items: Item[] = [];
  for (const section of await sectionsOf(fs, path, stretch))
    if (section.kind === "lost") items.push(section);
    else append(items, itemsOf(section));
  return items;
}

function itemsOf({ bytes, start, line }: Extract<Section, { kind: "bytes" }>): Item[] {
  let [at, number] = [0, line];
  return partsOf(bytes).map((part) => {
    for (let feed = bytes.indexOf(10, at); feed >= 0 && feed < part.start; feed = bytes.indexOf(10, at)) {
      number++;
      at = feed + 1;
    }
    return { kind: "part", part, at: start + part.start, line: number };
  });
}

/** So many damaged parts may lie between the halves of a record; beyond that the second one is not looked for. */
const REACH = 16;

/** Two writers at once may have written one record into the middle of another. */
function joinHalves(items: readonly Item[]): void {
  let open: Extract<Item, { kind: "part" }> | undefined;
  let since = 0;
  for (const item of items) {
    if (item.kind === "lost" && ++since > REACH) open = undefined;
    if (item.kind !== "part" || item.part.kind === "record") continue;
    const text = open && joined(open.part, item.part);
    if (open && text !== undefined) {
      item.half = open.line;
      item.part = { ...item.part, kind: "record", text };
      open.isJoined = true;
      open = undefined;
    } else if (item.part.kind === "torn") {
      open = item;
      since = 0;
    } else if (++since > REACH) open = undefined;
  }
}

function repair(
  items: readonly Item[],
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
      const { start, end, line, why } = item;
      repairs.push({ path, line, start, end, what: why, isLost: true });
      continue;
    }
    if (item.isJoined) continue;
    const { part, at, line, half } = item;
    const place = { path, line, start: at, end: at + part.bytes.length };
    const text = part.kind === "record" ? part.text : halfOf(part);
    if (text === undefined) {
      repairs.push({ ...place, what: describeLoss(part), isLost: true });
      continue;
    }
    const repaired = repairRecord(text, { session: id, place: at, ...last });
    const record = parseObject(repaired.text) ?? {};
    const isStart = record.type === "session.start" && !hasStart;
    hasStart ||= isStart;
    const isForeign = isStart && asString(asObject(record.data)?.sessionId) !== id;
    const whats = [
      ...(half === undefined ? [] : [`the other half of a record that begins in line ${half}: joined`]),
      ...(part.kind === "torn" ? ["a record that stops in the middle: what is left of it was kept"] : []),
      ...(half === undefined && !part.isAlone ? ["not alone on its line: split"] : []),
      ...(part.kind === "record" && half === undefined && part.text !== part.bytes.toString("utf8")
        ? ["line breaks or other control characters inside a string: escaped"]
        : []),
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
    for (const [from, to] of foreignBytes(part.bytes, isUtf8))
      repairs.push({
        path,
        line,
        start: at + from,
        end: at + to,
        what: "bytes that are not UTF-8",
        isLost: true,
      });
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

const describeLoss = ({ bytes, kind }: Part): string =>
  bytes[0] === 0
    ? "NUL bytes, as left by a crash"
    : kind === "torn"
      ? "a record that stops before its content"
      : "not a record or part of one";

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
