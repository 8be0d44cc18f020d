/** One row per log line: its byte range, and the facts that reduction needs. */

import { type MadeCall, type Passage, weigherFor } from "../../../../model/reduce/passage.ts";
import { memberOf } from "../../../../model/values/member.ts";
import { eachLine, type Line } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asArray, asObject, asString, type JsonObject } from "../../../log/jsonl.ts";
import { findTail, idIn } from "../../log/envelope.ts";
import { eventTypes } from "../../log/event-types.ts";
import { type CopilotRecord, isMain, judge } from "../../log/records.ts";
import type { TurnOffset } from "../cut/log-offsets.ts";

export interface Row extends Passage {
  /** From the line's first byte to the next line's. */
  readonly start: number;
  readonly end: number;
  readonly id?: string;
  readonly parent?: string;
  /** It tells how a compaction was made, and goes with its summary. */
  readonly ofCompaction?: boolean;
}

/** What the model's thoughts are kept in. */
export const THOUGHTS: readonly string[] = ["reasoningText", "reasoningOpaque", "encryptedContent"];

const EDITS = /^(create|edit|write|str_replace|apply_patch)/;

export interface Weighing {
  readonly weigh: (text: string) => number;
  /** Of what stands before this place, prompts aside, it is only told whether there is a text. */
  readonly covered: number;
}

const isThere = weigherFor({}, () => 0);

export async function readRows(
  fs: SessionFs,
  path: string,
  size: number,
  turns: readonly TurnOffset[],
  { weigh, covered }: Weighing,
): Promise<Row[]> {
  const rows: Row[] = [];
  /** The call in which each sub-agent works. */
  const agents = new Map<string, string>();
  let turn = -1;
  const visit = (line: Line): void => {
    while (line.start >= (turns[turn + 1]?.start ?? Number.POSITIVE_INFINITY)) turn++;
    const end = line.ended ? line.end + 1 : line.end;
    const { record, fault } = judge(line);
    const place = { start: line.start, end, turn };
    // What the program would not understand is not touched, but for its link where that can be told from damage.
    const isDamaged = fault !== undefined && !/^record-(unknown|invalid)$/.test(fault.code);
    if (isDamaged) rows.push({ kind: "other", tokens: 0, ...place });
    else if (!record || fault) rows.push({ kind: "other", tokens: 0, ...place, ...envelopeOf(line) });
    else {
      const isWeighed = line.start >= covered || eventTypes.get(record.type)?.role === "prompt";
      rows.push({ ...place, ...toRow(record, parentIn(line), agents, isWeighed ? weigh : isThere) });
    }
  };
  await eachLine(fs, path, visit, { start: 0, end: size });
  return markUnseen(rows);
}

/** A summary repeats what was asked before it, and stands for all else; clearing leaves nothing of either. */
function markUnseen(rows: readonly Row[]): Row[] {
  const cleared = rows.findLastIndex(({ kind }) => kind === "clear");
  const live = Math.max(
    cleared,
    rows.findLastIndex(({ kind }) => kind === "summary"),
  );
  return rows.map((row, number) =>
    number < live && !(row.kind === "prompt" && number > cleared) ? { ...row, unseen: true } : row,
  );
}

function toRow(
  record: CopilotRecord,
  parent: string | undefined,
  agents: Map<string, string>,
  count: (text: string) => number,
): Omit<Row, "start" | "end" | "turn"> {
  const { type, data, id, agentId } = record;
  const { role, goesWith } = eventTypes.get(type) ?? {};
  const call = callOf(record, agents);
  if (role === "agent-start" && agentId !== undefined && call !== undefined) agents.set(agentId, call);
  const said = isMain(record) ? tell(type, data, count) : NOTHING;
  const thinks = THOUGHTS.some((member) => typeof memberOf(data, member) === "string");
  return {
    ...said,
    ...(role === "thought" && { kind: "thought" }),
    ...(id !== undefined && { id }),
    ...(parent !== undefined && { parent }),
    ...(call !== undefined && { call }),
    ...(goesWith === "compaction" && isMain(record) && { ofCompaction: true }),
    ...(thinks && { thinks: 0 }), // the program does not send them again
  };
}

function callOf(
  { type, data, agentId }: CopilotRecord,
  agents: ReadonlyMap<string, string>,
): string | undefined {
  const within = asString(data.parentToolCallId);
  if (within !== undefined) return within;
  if (agentId !== undefined) return agents.get(agentId) ?? asString(data.toolCallId) ?? agentId;
  // What the user ran in a shell is theirs, not the model's.
  const { role, goesWith } = eventTypes.get(type) ?? {};
  if (goesWith !== "call" || role === "user-call" || data.isUserRequested === true) return undefined;
  return asString(data.toolCallId) ?? asString(asObject(data.permissionRequest)?.toolCallId);
}

type Said = Pick<Row, "kind" | "tokens"> & Partial<Pick<Row, "makes" | "failed">>;
const NOTHING: Said = { kind: "other", tokens: 0 };

function tell(type: string, data: JsonObject, count: (text: string) => number): Said {
  const { role, goesWith } = eventTypes.get(type) ?? {};
  const content = asString(data.content) ?? "";
  if (role === "prompt")
    return { kind: "prompt", tokens: count(asString(data.transformedContent) ?? content) };
  if (role === "answer") {
    const makes = asArray(data.toolRequests).map((each) => toMade(asObject(each) ?? {}, count));
    return { kind: "answer", tokens: count(content.trim()), ...(makes.length > 0 && { makes }) };
  }
  if (role === "call-start") return { kind: "start", tokens: 0 };
  if (role === "result") {
    const failed = data.success !== true;
    const text = asString(failed ? asObject(data.error)?.message : asObject(data.result)?.content) ?? "";
    // The output of the user's own command is sent to the model as a user message.
    if (data.isUserRequested === true) return { kind: "said", tokens: count(text) };
    return { kind: "result", tokens: count(text), failed };
  }
  if (role === "notification" || role === "skill") return { kind: "said", tokens: count(content) };
  if (role === "clear") return { kind: "clear", tokens: count(asString(data.initialMessage) ?? "") };
  if (role === "compaction" && data.success === true && asString(data.summaryContent))
    return { kind: "summary", tokens: count(asString(data.summaryContent) ?? "") };
  return goesWith === "setting" ? { kind: "setting", tokens: 0 } : NOTHING;
}

function toMade(call: JsonObject, count: (text: string) => number): MadeCall {
  const name = asString(call.name) ?? "";
  const given = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {});
  return {
    id: asString(call.toolCallId) ?? "",
    name,
    tokens: count(`${name} ${given}`),
    ...(EDITS.test(name) && { edits: true }),
  };
}

const PARENT = /"parentId"\s*:\s*"([0-9a-fA-F-]{36})"\s*\}\s*$/;

function envelopeOf(line: Line): Pick<Row, "id" | "parent"> {
  const tail = findTail(line.bytes, 0, line.bytes.length);
  const parent = parentIn(line);
  return {
    ...(tail >= 0 && { id: idIn(line.bytes, tail) }),
    ...(parent !== undefined && { parent }),
  };
}

/** At the end of the line, where the program puts it; one that stands elsewhere is left alone. */
const parentIn = ({ bytes }: Line): string | undefined =>
  PARENT.exec(bytes.toString("latin1", Math.max(0, bytes.length - 80)))?.[1];
