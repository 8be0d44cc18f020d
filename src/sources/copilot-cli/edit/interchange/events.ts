/** Converts a transcript to events as the program's own import does, but keeps the times. */
import { uuidOf } from "../../../../model/values/stable-id.ts";
import { VERSION } from "../../demo/compose.ts";
import type { CallRecord, InterchangeHeader, InterchangeRecord, ResultRecord } from "./records.ts";

/** What goes with a message, by the message's id. */
export type Attached = ReadonlyMap<string, readonly object[]>;

export function* tellRecords(
  header: InterchangeHeader,
  records: readonly InterchangeRecord[],
  attached: Attached,
  { id, cwd }: { readonly id: string; readonly cwd: string },
): Generator<string> {
  const made = (what: string): string => uuidOf(`${id}/${what}`);
  const turnOf = ({ turnId }: InterchangeRecord): object =>
    turnId === undefined ? {} : { turnId: made(`turn/${turnId}`) };
  const calls = callsOf(records);
  let parentId: string | null = null;
  let count = 0;
  const line = (type: string, data: object, time: string): string => {
    const event = {
      type,
      data,
      id: made(`event/${count++}`),
      timestamp: new Date(time).toISOString(),
      parentId,
    };
    parentId = event.id;
    return `${JSON.stringify(event)}\n`;
  };

  yield line("session.start", toStart(header, id, cwd), header.createdAt);
  for (const record of records) {
    const { timestamp } = record;
    if (record.type === "message" && record.role === "user") {
      const attachments = attached.get(record.id);
      yield line("user.message", { content: record.text, ...(attachments && { attachments }) }, timestamp);
    } else if (record.type === "message") {
      const requests = calls.get(record.id)?.map((call) => ({
        name: call.name,
        toolCallId: made(`call/${call.id}`),
        ...argumentsOf(call),
      }));
      const data = {
        messageId: made(`message/${record.id}`),
        content: record.text,
        ...(record.model !== undefined && { model: record.model }),
        ...turnOf(record),
        ...(requests && { toolRequests: requests }),
      };
      yield line("assistant.message", data, timestamp);
    } else if (record.type === "tool-call") {
      const call = { toolCallId: made(`call/${record.id}`), toolName: record.name };
      yield line("tool.execution_start", { ...call, ...argumentsOf(record), ...turnOf(record) }, timestamp);
    } else {
      const call = { toolCallId: made(`call/${record.toolCallId}`), success: record.error === undefined };
      yield line("tool.execution_complete", { ...call, ...turnOf(record), ...outcomeOf(record) }, timestamp);
    }
  }
}

const argumentsOf = (call: CallRecord): object =>
  Object.hasOwn(call, "arguments") ? { arguments: call.arguments } : {};

const outcomeOf = ({ error, content }: ResultRecord): object =>
  error
    ? { error: { ...error, message: content ? `${error.message}\n\n${content}` : error.message } }
    : { result: { content: content ?? "" } };

/** The calls of each answer: those behind it, or those of its turn where the records tell turns. */
function callsOf(records: readonly InterchangeRecord[]): ReadonlyMap<string, readonly CallRecord[]> {
  const calls = new Map<string, CallRecord[]>();
  const byTurn = new Map<string, string>();
  let last: string | undefined;
  for (const record of records) {
    if (record.type === "message") {
      last = record.role === "assistant" ? record.id : undefined;
      if (record.role === "assistant" && record.turnId !== undefined) byTurn.set(record.turnId, record.id);
    }
    if (record.type !== "tool-call") continue;
    const answer = record.turnId === undefined ? last : byTurn.get(record.turnId);
    if (answer !== undefined) calls.set(answer, [...(calls.get(answer) ?? []), record]);
  }
  return calls;
}

const toStart = ({ createdAt, repository, branch }: InterchangeHeader, id: string, cwd: string): object => ({
  sessionId: id,
  version: 1,
  producer: "copilot-agent",
  copilotVersion: VERSION,
  startTime: new Date(createdAt).toISOString(),
  contextTier: null,
  context: {
    cwd,
    ...(repository && {
      repository: repository.name,
      repositoryHost: repository.host,
      hostType: repository.hostType,
    }),
    ...(branch !== undefined && { branch }),
  },
  alreadyInUse: false,
});
