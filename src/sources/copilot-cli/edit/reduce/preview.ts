/**
 * What budgets would leave of a log, from one reading of it: the records that a replay hears are held in memory, long
 * results by their ends, and cut and replayed as a clone would be.
 */

import { isCut, shortenInput, toNote } from "../../../../model/reduce/cut-text.ts";
import { type Cuts, isDropped, toCuts, toLedger } from "../../../../model/reduce/cuts.ts";
import { createHeldTexts, type HeldTexts } from "../../../../model/reduce/held-text.ts";
import { createLadder } from "../../../../model/reduce/ladder.ts";
import type { ContextMessage } from "../../../../model/session/context.ts";
import type { Artifact, Origin } from "../../../../model/session/session.ts";
import { memberOf, setMember } from "../../../../model/values/member.ts";
import { eachLine, type Line } from "../../../../platform/fs/lines.ts";
import { withPiecedFile } from "../../../../platform/fs/pieced-file.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { BudgetPreview, PreviewedMessage } from "../../../editor.ts";
import { asArray, asObject, asString, isObject, type JsonObject, originOf } from "../../../log/jsonl.ts";
import { renderAttachments } from "../../context/attachments.ts";
import { createReplay, isHeard } from "../../context/replay.ts";
import { roleOf } from "../../log/event-types.ts";
import { pairResults } from "../../log/paired-results.ts";
import { type CopilotRecord, isMain, judge } from "../../log/records.ts";
import { openFolder } from "../copy/folder.ts";
import { readMetadata } from "../copy/identity.ts";
import { findOffsets } from "../cut/log-offsets.ts";
import { rescueLog } from "../rescue/log.ts";
import { type Brief, findChanges } from "./line.ts";
import { callsNamedIn, mayChange, readRowsFor } from "./reduce.ts";
import type { Row } from "./rows.ts";

export async function preview(
  disk: SessionFs,
  artifact: Artifact,
  count: (text: string) => number,
): Promise<BudgetPreview> {
  const folder = await openFolder(disk, artifact);
  // A clone is made of what a rescue would leave.
  const { pieces, repairs } = await rescueLog(disk, artifact, { asCopy: true });
  const fs = repairs.length > 0 ? withPiecedFile(disk, artifact.path, pieces) : disk;
  const seen = await findOffsets(fs, artifact);
  // Of a log without turns there would be no clone unless it has a start of its own.
  if (repairs.length > 0 && seen.turns.length === 0) await findOffsets(disk, artifact);
  await readMetadata(fs, artifact, folder); // what keeps a clone from being made is told here, too
  const rows = await readRowsFor(fs, artifact, seen, { reduction: { budget: 0 }, count });
  const texts = createHeldTexts(count, repairs.length > 0 ? "counted" : "uncounted");
  const log = await holdLog(fs, artifact.path, rows, texts);
  const name = `copilot-cli:${artifact.id}`;
  const note = toNote(name);
  const turns = seen.turns.length;
  const ladder = createLadder(rows, toCuts(rows, turns, {}, name), { turns });

  /** Each record is cut once in each way. */
  const cutRecord = (held: HeldRecord, row: Row, cuts: Cuts): CutRecord => {
    const way = wayOf(held.number, row, cuts);
    const known = held.cut.get(way);
    if (known) return known;
    const calls = new Set<string>();
    const brief: Brief = (limit, call) => (long) => {
      const short = texts.cut(long, limit, (left) => note(left, row.turn));
      if (short !== long && call !== undefined) calls.add(call);
      return short;
    };
    const record = { ...held.record, data: changedData(held, row, cuts, brief) };
    const made: CutRecord = { record, calls: [...calls] };
    held.cut.set(way, made);
    return made;
  };

  const replayCut = (
    cuts: Cuts,
  ): { messages: readonly PreviewedMessage[]; cutCalls: ReadonlySet<string> } => {
    const replay = createReplay();
    const cutCalls = new Set<string>();
    for (const held of log.records) {
      const row = rows[held.number] as Row;
      if (isDropped(row, held.number, cuts)) continue;
      if (!mayChange(row, held.number, cuts)) {
        replay.push(held.record, held.origin);
        continue;
      }
      const { record, calls } = cutRecord(held, row, cuts);
      for (const call of calls) cutCalls.add(call);
      replay.push(record, held.origin);
    }
    for (const { number, longest } of log.unheard) {
      const row = rows[number] as Row;
      const limit = cuts.limits.get(row.call ?? "");
      if (limit === undefined || isDropped(row, number, cuts)) continue;
      if (isCut(longest, limit, (left) => note(left, row.turn))) cutCalls.add(row.call ?? "");
    }
    const items = replay.end();
    for (const item of items)
      if (item.kind === "message" && item.attachments)
        item.text += log.attachments.get(item.attachments[0]) ?? "";
    return { messages: pairResults(items).map(toPreviewed), cutCalls };
  };

  return {
    count: texts.count,
    bytes: log.bytes,
    draw(budget) {
      const cuts = toCuts(rows, turns, {}, name);
      const steps = ladder.fit(cuts, budget);
      const drawn = once(() => replayCut(cuts));
      return {
        steps,
        turns: turns - cuts.turns.size,
        dropped: cuts.turns,
        messages: () => drawn().messages,
        ledger: once(() => toLedger(rows, turns, cuts, drawn().cutCalls)),
      };
    },
  };
}

/** Made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

interface CutRecord {
  readonly record: CopilotRecord;
  /** Those of which something was cut in it. */
  readonly calls: readonly string[];
}

interface HeldRecord {
  readonly number: number;
  readonly record: CopilotRecord;
  readonly origin: Origin;
  readonly cut: Map<string, CutRecord>;
}

/** The longest text of a call that no model receives, but which is cut all the same. */
interface Unheard {
  readonly number: number;
  readonly longest: number;
}

interface HeldLog {
  readonly records: readonly HeldRecord[];
  readonly unheard: readonly Unheard[];
  /** What is sent of the attachments of a prompt, by the first of them. */
  readonly attachments: ReadonlyMap<unknown, string>;
  readonly bytes: number;
}

async function holdLog(
  fs: SessionFs,
  path: string,
  rows: readonly Row[],
  texts: HeldTexts,
): Promise<HeldLog> {
  const records: HeldRecord[] = [];
  const unheard: Unheard[] = [];
  const attached: (readonly JsonObject[])[] = [];
  let [number, bytes] = [0, 0];
  const visit = (line: Line): void => {
    const at = number++;
    const { kind } = rows[at] as Row;
    const { record, fault } = judge(line, kind === "start" ? undefined : "unwanted");
    if (!record || fault?.code === "record-encoding") return;
    const longest = longestUnheard(kind, record.data);
    if (longest > 0) unheard.push({ number: at, longest });
    const role = roleOf(record.type);
    if (!isMain(record) || !isHeard(role)) return;
    const isResult = kind === "result";
    bytes += isResult ? Math.min(line.bytes.length, 2 * MOST_OF_RESULT) : line.bytes.length;
    if (role === "prompt") attached.push(asArray(record.data.attachments).filter(isObject));
    const held = isResult ? { ...record, data: heldResult(record.data, texts) } : record;
    records.push({ number: at, record: held, origin: originOf(line), cut: new Map() });
  };
  await eachLine(fs, path, visit, {
    start: 0,
    end: rows.at(-1)?.end ?? 0,
    maxLine: Number.POSITIVE_INFINITY,
  });
  const attachments = new Map<unknown, string>();
  for (const each of attached)
    if (each.length > 0) attachments.set(each[0], await renderAttachments(fs, each));
  return { records, unheard, attachments, bytes };
}

const MOST_OF_RESULT = 2500;

/** What the replay asks of a result, and nothing else. */
function heldResult(data: JsonObject, texts: HeldTexts): JsonObject {
  const { toolCallId, success } = data;
  const content = asString(asObject(data.result)?.content);
  const message = asString(asObject(data.error)?.message);
  return {
    toolCallId,
    success,
    ...(content !== undefined && { result: { content: texts.hold(content) } }),
    ...(message !== undefined && { error: { message: texts.hold(message) } }),
  };
}

function longestUnheard(kind: Row["kind"], data: JsonObject): number {
  if (kind === "result") return asString(asObject(data.result)?.detailedContent)?.length ?? 0;
  if (kind !== "start") return 0;
  let longest = 0;
  shortenInput(data.arguments, (text) => {
    longest = Math.max(longest, text.length);
    return text;
  });
  return longest;
}

/** What decides how a record is cut. */
function wayOf(number: number, row: Row, cuts: Cuts): string {
  const calls = callsNamedIn(row).map((call) => (cuts.calls.has(call) ? "-" : (cuts.limits.get(call) ?? "")));
  return `${cuts.texts.get(number) ?? ""} ${calls.join()}`;
}

function changedData({ record, number }: HeldRecord, row: Row, cuts: Cuts, brief: Brief): JsonObject {
  const data: Record<string, unknown> = { ...record.data };
  for (const { path, member, value } of findChanges(record.data, row, number, cuts, brief)) {
    const [within] = path;
    if (within === undefined) setMember(data, member, value);
    else setMember(data, within, { ...asObject(memberOf(data, within)), [member]: value });
  }
  return data;
}

/** Messages come from their records; a result without one from its call. */
const toPreviewed = (message: ContextMessage): PreviewedMessage => ({
  ...message,
  key:
    message.role === "tool"
      ? `result ${message.toolCallId}`
      : `${message.role} ${message.origin?.start ?? "made up"}`,
});
