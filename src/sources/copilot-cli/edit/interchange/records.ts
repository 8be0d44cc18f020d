/** Validates records as the program's own import does (1.0.102), with the same messages. */

import { printed } from "../../../../model/text/printed.ts";
import { trimEndOf } from "../../../../model/text/trim-end.ts";
import { readNested } from "../../../../model/values/json.ts";
import type { Line } from "../../../../platform/fs/lines.ts";
import { asObject, asString, type JsonObject } from "../../../log/jsonl.ts";

export interface InterchangeHeader {
  readonly createdAt: string;
  readonly updatedAt?: string;
  readonly title?: string;
  readonly workingDirectory?: string;
  readonly branch?: string;
  readonly repository?: { readonly host: string; readonly hostType: string; readonly name: string };
}

export interface InterchangeAttachment {
  readonly path: string;
  readonly mediaType: string;
  readonly name?: string;
}

interface Base {
  readonly line: number;
  readonly id: string;
  readonly timestamp: string;
  readonly turnId?: string;
}
export interface MessageRecord extends Base {
  readonly type: "message";
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly model?: string;
  readonly attachments: readonly InterchangeAttachment[];
}
export interface CallRecord extends Base {
  readonly type: "tool-call";
  readonly name: string;
  /** Missing, or whatever was said. */
  readonly arguments?: unknown;
}
export interface ResultRecord extends Base {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly content?: string;
  /** Of a call that failed. */
  readonly error?: { readonly message: string; readonly code?: string };
}
export type InterchangeRecord = MessageRecord | CallRecord | ResultRecord;

/** The errors: the line, and the program's own message. */
export type Complain = (line: number, sentence: string) => void;

const said = (value: unknown): string | undefined => {
  const text = asString(value);
  return text?.trim() ? text : undefined;
};
const isTime = (value: unknown): value is string =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
  Number.isFinite(Date.parse(value));

export function parseLine(line: Line, complain: Complain): JsonObject | undefined {
  if (line.cut > 0) {
    complain(line.number, "The line is too long to be read.");
    return undefined;
  }
  try {
    const text = line.bytes.toString("utf8");
    if (text.trim() === "") return undefined;
    const { value, isCut } = readNested(text);
    if (isCut) complain(line.number, "The record is nested too deeply.");
    return asObject(value) ?? {};
  } catch {
    complain(line.number, "Line is not valid JSON.");
    return undefined;
  }
}

export function toHeader(raw: JsonObject, line: number, complain: Complain): InterchangeHeader {
  if (raw.type !== "session") complain(line, "The first record must be a session header.");
  if (raw.version !== 1) complain(line, "Session interchange version must be 1.");
  if (said(raw.externalId) === undefined) complain(line, "Session externalId must be a non-empty string.");
  if (!isTime(raw.createdAt)) complain(line, "Session createdAt must be an ISO 8601 timestamp.");
  if (raw.updatedAt !== undefined && !isTime(raw.updatedAt))
    complain(line, "Session updatedAt must be an ISO 8601 timestamp.");
  const workspace = raw.workspace === undefined ? {} : asObject(raw.workspace);
  if (!workspace) complain(line, "Session workspace must be an object.");
  const repository = workspace && toRepository(workspace.repository, line, complain);
  const optional = (value: unknown, sentence: string): string | undefined => {
    if (value !== undefined && said(value) === undefined) complain(line, sentence);
    return said(value);
  };
  const title = optional(raw.title, "Session title must be a non-empty string when present.");
  const branch = optional(workspace?.branch, "Workspace branch must be a non-empty string when present.");
  const workingDirectory = optional(
    workspace?.workingDirectory,
    "Workspace workingDirectory must be a non-empty string when present.",
  );
  return {
    createdAt: printed(raw.createdAt),
    ...(isTime(raw.updatedAt) && { updatedAt: raw.updatedAt }),
    ...(title !== undefined && { title }),
    ...(branch !== undefined && { branch }),
    ...(workingDirectory !== undefined && { workingDirectory }),
    ...(repository && { repository }),
  };
}

const HOSTS: [RegExp, string][] = [
  [/^github\.com$/, "github"],
  [/^(.+\.)?(dev\.azure|visualstudio)\.com$/, "ado"],
];

function toRepository(value: unknown, line: number, complain: Complain): InterchangeHeader["repository"] {
  if (value === undefined) return undefined;
  const raw = asObject(value) ?? {};
  const [owner, name] = [said(raw.owner), said(raw.name)];
  const named = said(raw.host)
    ?.trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "");
  const host = named === undefined ? undefined : trimEndOf(named, "/.");
  if (host === undefined || !owner || !name || `${owner}${name}`.includes("/")) {
    complain(
      line,
      "Workspace repository must contain single-segment, non-empty host, owner, and name fields.",
    );
    return undefined;
  }
  const hostType = HOSTS.find(([pattern]) => pattern.test(host))?.[1];
  if (hostType === undefined)
    complain(line, "Workspace repository host must be github.com, dev.azure.com, or visualstudio.com.");
  return { host, hostType: hostType ?? "", name: `${owner}/${name}` };
}

export function toRecord(raw: JsonObject, line: number, complain: Complain): InterchangeRecord | undefined {
  const id = said(raw.id);
  if (said(raw.type) === undefined) complain(line, "Session records must be typed objects.");
  if (id === undefined) complain(line, "Session record id must be a non-empty string.");
  if (!isTime(raw.timestamp)) complain(line, "Session record timestamp must be ISO 8601.");
  if (raw.turnId !== undefined && said(raw.turnId) === undefined)
    complain(line, "turnId must be a non-empty string when present.");
  if (id === undefined || !isTime(raw.timestamp)) return undefined;
  const turnId = said(raw.turnId);
  const base = { line, id, timestamp: raw.timestamp, ...(turnId !== undefined && { turnId }) };
  switch (raw.type) {
    case "message":
      return toMessage(raw, base, complain);
    case "tool-call": {
      const name = said(raw.name);
      if (name === undefined) complain(line, "Tool call name must be a non-empty string.");
      const input = Object.hasOwn(raw, "arguments") ? { arguments: raw.arguments } : {};
      return { type: "tool-call", ...base, name: name ?? "", ...input };
    }
    case "tool-result":
      return toResult(raw, base, complain);
    default:
      complain(line, `Unsupported session record type '${printed(raw.type)}'.`);
      return undefined;
  }
}

function toMessage(raw: JsonObject, base: Base, complain: Complain): MessageRecord {
  const { role, content } = raw;
  const model = said(raw.model);
  if (role !== "user" && role !== "assistant") complain(base.line, "Message role must be user or assistant.");
  if (raw.model !== undefined && model === undefined)
    complain(base.line, "Message model must be a non-empty string.");
  if (!Array.isArray(content) || content.length === 0)
    complain(base.line, "Message content must be a non-empty array.");
  const texts: string[] = [];
  const attachments: InterchangeAttachment[] = [];
  for (const each of Array.isArray(content) ? content : []) {
    const { type, text, path, mediaType, name } = asObject(each) ?? {};
    const [file, media] = [said(path), said(mediaType)];
    if (type === "text" && typeof text === "string") texts.push(text);
    else if (type === "attachment" && file && media)
      attachments.push({ path: file, mediaType: media, ...(said(name) && { name: printed(name) }) });
    else complain(base.line, "Content must be text {type,text} or attachment {type,path,mediaType,name?}.");
  }
  return {
    type: "message",
    ...base,
    role: role === "assistant" ? "assistant" : "user",
    text: texts.join("\n"),
    attachments,
    ...(model !== undefined && { model }),
  };
}

function toResult(raw: JsonObject, base: Base, complain: Complain): ResultRecord {
  const [toolCallId, content, error] = [said(raw.toolCallId), asString(raw.content), asObject(raw.error)];
  const message = said(error?.message);
  const code = said(error?.code);
  if (toolCallId === undefined || typeof raw.success !== "boolean")
    complain(base.line, "Tool result requires a non-empty toolCallId and boolean success.");
  if (raw.content !== undefined && content === undefined)
    complain(base.line, "Tool result content must be a string.");
  if (raw.error !== undefined && message === undefined)
    complain(base.line, "Tool result error requires a non-empty message.");
  else if (raw.success === false && message === undefined)
    complain(base.line, "Failed tool results require an error object.");
  else if (raw.success === true && message !== undefined)
    complain(base.line, "Successful tool results cannot include an error.");
  return {
    type: "tool-result",
    ...base,
    toolCallId: toolCallId ?? "",
    ...(content !== undefined && { content }),
    ...(message !== undefined && { error: { message, ...(code !== undefined && { code }) } }),
  };
}
