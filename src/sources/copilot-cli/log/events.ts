/** What one record of the log means to a reader: prompts, answers, thoughts, tool calls, edits, notices. Pure. */

import type {
  Attachment,
  Event,
  NoticeEvent,
  Origin,
  TextEvent,
  ToolCallEvent,
  ToolResultEvent,
  UsageEvent,
} from "../../../model/session/session.ts";
import { type Counted, toUsage } from "../../../model/session/usage.ts";
import { parseOrText } from "../../../model/values/json.ts";
import { workIn } from "../../handed-work.ts";
import { asArray, asNumber, asObject, asString, type JsonObject } from "../../log/jsonl.ts";
import { limitResult, mayBeCut } from "../../log/limited-result.ts";
import { recordedEdits } from "../tool-edits.ts";
import type { Role } from "./event-type.ts";
import { roleOf } from "./event-types.ts";
import { imageOf, imagesOfResult } from "./images.ts";
import type { CopilotRecord } from "./records.ts";

/** What every event of a record shares. */
interface Base {
  readonly origin: Origin;
  readonly time?: string;
  readonly id?: string;
  readonly agent?: string;
  readonly cut?: number;
}

/** A record, and what its reader needs beside it. */
interface RecordContext {
  readonly data: JsonObject;
  readonly base: Base;
  readonly textLimit: number;
  readonly agentId: string | undefined;
  readonly withEdits: boolean;
}

export interface EventSettings {
  readonly origin: Origin;
  /** The tool call whose sub-agent did this. */
  readonly agent: string | undefined;
  readonly textLimit: number;
  /** Bytes that the line already lost while it was read. */
  readonly cut: number;
  /** Give what calls did to files. */
  readonly withEdits?: boolean;
}

export function toEvents(
  record: CopilotRecord,
  { origin, agent, textLimit, cut, withEdits = false }: EventSettings,
): Event[] {
  const role = roleOf(record.type);
  const tell = role && READERS[role];
  if (!tell) return [];
  const base: Writable<Base> = { origin };
  if (record.time !== undefined) base.time = record.time;
  if (record.id !== undefined) base.id = record.id;
  if (agent !== undefined) base.agent = agent;
  if (cut > 0) base.cut = cut;
  return tell({ data: record.data, base, textLimit, agentId: record.agentId, withEdits });
}

/** For what every log is full of: fields that may be absent are set one by one, as spreading each of them costs more than parsing. */
type Writable<T> = { -readonly [K in keyof T]: T[K] };

const READERS: Readonly<Partial<Record<Role, (context: RecordContext) => Event[]>>> = {
  prompt,
  answer,
  thought: ({ data, base }) => thinking(base, asString(data.content)),
  "user-call": ({ data, base }) => [
    {
      ...base,
      kind: "tool-call",
      callId: asString(data.toolCallId) ?? "",
      name: asString(data.toolName) ?? "",
      input: toInput(data.arguments),
      label: "Run by the user",
    },
  ],
  result,
  compaction,
  clear: ({ base }) => [{ ...base, kind: "clear" }],
  usage,
  notification: ({ data, base }) => notice(base, "info", withoutTags(asString(data.content))),
  info: ({ data, base }) => aside(base, asString(data.message)),
  warning: ({ data, base }) => notice(base, "warning", asString(data.message)),
  error: ({ data, base }) => notice(base, "error", asString(data.message)),
  "model-change": ({ data, base }) =>
    // A sub-agent picks its own model when it starts; that is not news.
    base.agent === undefined ? aside(base, `Model changed to ${asString(data.newModel) ?? "?"}`) : [],
  handoff: ({ data, base }) =>
    aside(base, `Handed over: ${asString(data.summary) ?? asString(data.sourceType) ?? ""}`),
  truncation: ({ data, base }) =>
    notice(base, "warning", `${asNumber(data.messagesRemovedDuringTruncation) ?? 0} messages were left out`),
  "agent-failure": ({ data, base }) =>
    notice(
      base,
      "error",
      `${asString(data.agentDisplayName) ?? "Agent"}: ${asString(data.error) ?? "failed"}`,
    ),
  abort: ({ data, base }) =>
    notice(base, "warning", `Stopped (${asString(data.reason) ?? "no reason given"})`),
};

function prompt({ data, base }: RecordContext): Event[] {
  const text = asString(data.content) ?? "";
  const attachments = asArray(data.attachments).flatMap((value, index) =>
    toAttachment(value, base.origin, index),
  );
  const { cut, ...about } = base;
  const isCut = cut !== undefined && (mayBeCut(text) || !attachments.some(({ image }) => image));
  return [
    {
      ...about,
      kind: "prompt",
      text,
      ...(isCut && { cut }),
      ...(attachments.length > 0 && { attachments }),
      ...workIn(data),
    },
  ];
}

function toAttachment(value: unknown, origin: Origin, index: number): Attachment[] {
  const raw = asObject(value);
  if (!raw) return [];
  const path = asString(raw.path) ?? asString(raw.filePath);
  const name = asString(raw.displayName) ?? asString(raw.title) ?? asString(raw.url) ?? path ?? "attachment";
  const image = imageOf(raw, origin, ["data", "attachments", index]);
  return [
    {
      kind: asString(raw.type) ?? "file",
      name,
      ...(path !== undefined && { path }),
      ...(image && { image }),
    },
  ];
}

function answer({ data, base }: RecordContext): Event[] {
  const events = thinking(base, asString(data.reasoningText));
  const text = asString(data.content) ?? "";
  if (text !== "") {
    const said: Writable<TextEvent> = { ...base, kind: "text", text };
    const model = asString(data.model);
    if (model !== undefined) said.model = model;
    events.push(said);
  }
  for (const [index, value] of asArray(data.toolRequests).entries()) {
    const call = asObject(value);
    if (!call) continue;
    const event: Writable<ToolCallEvent> = {
      ...base,
      origin: { ...base.origin, at: ["data", "toolRequests", index] },
      kind: "tool-call",
      callId: asString(call.toolCallId) ?? "",
      name: asString(call.name) ?? "",
      input: toInput(call.arguments),
    };
    const label = asString(call.intentionSummary) ?? asString(call.toolTitle);
    if (label !== undefined) event.label = label;
    events.push(event);
  }
  return events;
}

const thinking = (base: Base, text: string | undefined): Event[] =>
  text === undefined || text === "" ? [] : [{ ...base, kind: "thinking", text }];

/** Some models give their arguments as JSON text; others are plain text, such as the patch that a grammar-based tool takes. */
export function toInput(value: unknown): unknown {
  if (typeof value !== "string") return value === undefined ? {} : value;
  return parseOrText(value);
}

function result({ data, base, textLimit, withEdits }: RecordContext): Event[] {
  const error = asObject(data.error);
  const ok = data.success === true;
  const whole = (ok ? undefined : asString(error?.message)) ?? asString(asObject(data.result)?.content) ?? "";
  const limited = limitResult(whole, textLimit);
  const cut = (limited.cut ?? 0) + (base.cut ?? 0);
  // A command that fails is a success of its tool; the exit code knows better.
  const exitCode = ok ? asNumber(asObject(data.shellExecution)?.exitCode) : undefined;
  const failed = !ok || (exitCode ?? 0) !== 0;
  // A resumed session closes what a killed one left open, with a code that says so.
  const interrupted = !ok && (asString(error?.code) ?? "").startsWith("interrupt");
  const event: Writable<ToolResultEvent> = {
    ...base,
    kind: "tool-result",
    callId: asString(data.toolCallId) ?? "",
    status: interrupted ? "interrupted" : failed ? "failed" : "ok",
    text: limited.text,
  };
  if (limited.facts && base.cut === undefined) event.facts = limited.facts;
  if (exitCode !== undefined) event.exitCode = exitCode;
  if (cut > 0) event.cut = cut;
  const images = imagesOfResult(asObject(data.result), base.origin);
  if (images.length > 0) event.images = images;
  if (withEdits && ok) event.edits = recordedEdits(data);
  return data.fileEdits === undefined ? [event] : [event, ...edits(data, base)];
}

function edits(data: JsonObject, base: Base): Event[] {
  const metrics = asObject(asObject(data.toolTelemetry)?.metrics);
  const files = asArray(data.fileEdits).flatMap((edit) => asString(asObject(edit)?.path) ?? []);
  // The line counts are those of the whole call, so they can only be given to a single file.
  const added = files.length === 1 ? asNumber(metrics?.linesAdded) : undefined;
  const removed = files.length === 1 ? asNumber(metrics?.linesRemoved) : undefined;
  return files.map((path, index) => ({
    ...base,
    origin: { ...base.origin, at: ["data", "fileEdits", index] },
    kind: "edit",
    path,
    ...(added !== undefined && { added }),
    ...(removed !== undefined && { removed }),
  }));
}

const TITLE_TAG = /<checkpoint_title>([\s\S]*?)<\/checkpoint_title>/;

function compaction({ data, base }: RecordContext): Event[] {
  const summary = asString(data.summaryContent) ?? "";
  if (data.success !== true || summary === "") {
    const why = asString(data.error) ?? asString(data.outcomeReason);
    return notice(base, "warning", `Compaction came to nothing${why === undefined ? "" : `: ${why}`}`);
  }
  const title = TITLE_TAG.exec(summary)?.[1]?.trim();
  const checkpoint = asNumber(data.checkpointNumber);
  return [
    {
      ...base,
      kind: "compaction",
      summary: summary.replace(TITLE_TAG, "").trim(),
      ...(title !== undefined && { title }),
      ...(checkpoint !== undefined && { checkpoint }),
    },
  ];
}

/** The receipt of one model call; the sums that a shutdown writes repeat what the receipts said. */
function usage({ data, base, agentId }: RecordContext): Event[] {
  const used = asObject(data.usage) ?? {};
  const event: Partial<Writable<UsageEvent>> = toUsage(countedIn(used, agentId));
  const agent = base.agent ?? asString(used.parentToolCallId);
  if (base.time !== undefined) event.time = base.time;
  if (base.id !== undefined) event.id = base.id;
  if (agent !== undefined) event.agent = agent;
  if (base.cut !== undefined) event.cut = base.cut;
  return [Object.assign(event, { kind: "usage", origin: base.origin } as const)];
}

export function countedIn(used: JsonObject, agentId?: string): Counted {
  const billed = asObject(used.copilotUsage);
  return {
    model: asString(used.model),
    input: asNumber(used.inputTokens),
    output: asNumber(used.outputTokens),
    cached: asNumber(used.cacheReadTokens),
    cacheWritten: asNumber(used.cacheWriteTokens),
    reasoning: asNumber(used.reasoningTokens),
    durationMs: asNumber(used.duration),
    firstTokenMs: asNumber(used.timeToFirstTokenMs),
    firstOutputMs: asNumber(used.outputTtftMs),
    betweenTokensMs: asNumber(used.interTokenLatencyMs),
    initiator: asString(used.initiator),
    endpoint: asString(used.apiEndpoint),
    effort: asString(used.reasoningEffort),
    finish: asString(used.finishReason),
    filtered: typeof used.contentFilterTriggered === "boolean" ? used.contentFilterTriggered : undefined,
    multiplier: asNumber(used.cost),
    nanoCredits: asNumber(billed?.totalNanoAiu),
    billedModel: asString(billed?.model),
    details: Array.isArray(billed?.tokenDetails) ? JSON.stringify(billed.tokenDetails) : undefined,
    subAgent: agentId,
  };
}

/** About the session: it may come long after the turn that it stands behind. */
const aside = (base: Base, text: string | undefined): Event[] =>
  text === undefined || text === "" ? [] : [{ ...base, kind: "notice", level: "info", text, isAside: true }];

const notice = (base: Base, level: NoticeEvent["level"], text: string | undefined): Event[] =>
  text === undefined || text === "" ? [] : [{ ...base, kind: "notice", level, text }];

const withoutTags = (text: string | undefined): string | undefined =>
  text?.replace(/<\/?system_notification>/g, "").trim();
