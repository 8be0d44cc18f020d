/** Repairs a record that the program would reject: adds missing fields, corrects wrong ones, and keeps all text. */

import { printed } from "../../../../model/text/printed.ts";
import { writeJson } from "../../../../model/values/json.ts";
import { memberOf } from "../../../../model/values/member.ts";
import { uuidOf } from "../../../../model/values/stable-id.ts";
import { changeMembers } from "../../../../platform/json/members.ts";
import { asNumber, asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { parseObject } from "../../../rescue/json.ts";
import type { EventType, FieldKind } from "../../log/event-type.ts";
import { eventTypes } from "../../log/event-types.ts";
import { isKind, isTime, isUuid, whyRefused } from "../../log/validate.ts";

/** Where the record stands. */
export interface Around {
  /** The session's id. */
  readonly session: string;
  /** Its first byte, so that the same damage is always repaired in the same way. */
  readonly place: number;
  /** Of the record before it. */
  readonly id: string | undefined;
  readonly time: string;
}

export interface Repaired {
  readonly text: string;
  /** What was wrong, as long as something was. */
  readonly why?: string;
}

export function repairRecord(text: string, around: Around): Repaired {
  const raw = parseObject(text) ?? {};
  const why = whyRefused(raw);
  if (why === undefined) return { text };
  const type = printed(raw.type);
  const repaired = repairEnvelope(raw, around);
  const data = repairData(type, raw.data, { ...around, time: asString(repaired.timestamp) ?? around.time });
  const old = asObject(raw.data);
  const replaced = { ...replacedIn(raw, repaired), ...(old && replacedIn(old, data)) };
  const envelope = { ...repaired, ...(Object.keys(replaced).length > 0 && { rescued: replaced }) };
  const changed = old
    ? changeMembers(changeMembers(text, differing(old, data), ["data"]), differing(raw, envelope))
    : changeMembers(text, { ...differing(raw, envelope), data });
  const isSound = (candidate: string): boolean => {
    const record = parseObject(candidate);
    return record !== undefined && whyRefused(record) === undefined;
  };
  // A name that is there twice is only changed once; a record of a type nobody knows is tolerated.
  const whole = writeJson({ ...raw, ...envelope, data });
  const set = changeMembers(text, { type: `rescued.${type}` });
  return { text: [changed, whole].find(isSound) ?? set, why };
}

/** Values that no longer stand where they stood, nor inside of what stands there now. The program ignores names it does not know. */
const replacedIn = (before: JsonObject, after: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(differing(before, after)).flatMap(([key, now]) => {
      const was = memberOf(before, key);
      if (was === undefined || was === null || isObject(now) || Array.isArray(now) || now === asText(was))
        return [];
      return [[key, was]];
    }),
  );

function differing(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => writeJson(value) !== writeJson(memberOf(before, key))),
  );
}

function repairEnvelope(raw: JsonObject, { session, place, id, time }: Around): JsonObject {
  return {
    id: isUuid(raw.id) ? raw.id : uuidOf(`${session}:${place}`),
    timestamp: isTime(raw.timestamp) ? raw.timestamp : (timeOf(raw.timestamp) ?? time),
    parentId: raw.parentId === null || isUuid(raw.parentId) ? raw.parentId : (id ?? null),
    // What a sub-agent did must not become the conversation's.
    ...(raw.agentId !== undefined && { agentId: asText(raw.agentId) }),
    ...(raw.ephemeral !== undefined && typeof raw.ephemeral !== "boolean" && { ephemeral: undefined }),
  };
}

/** A time without a timezone is taken for UTC, as all of the program's own are. */
function timeOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const date = new Date(typeof value === "string" && /T[\d:.]+$/.test(value) ? `${value}Z` : value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function repairData(type: string, raw: unknown, around: Around): JsonObject {
  const { requires: shape = {}, allows = {} } = eventTypes.get(type) ?? {};
  const data = asObject(raw) ?? unfold(raw, Object.keys(shape));
  const fields = Object.entries(shape).map(([field, kind]) => {
    const value = memberOf(data, field);
    if (value !== undefined && value !== null) return [field, toKind(value, kind)];
    return [field, memberOf(MADE_UP, field)?.(data, around) ?? EMPTY[kind]];
  });
  return { ...data, ...Object.fromEntries(fields), ...repairOptional(data, allows, around) };
}

/** Data that is no object: a text is what the record says, anything else is kept under a name of our own. */
function unfold(value: unknown, fields: readonly string[]): JsonObject {
  if (value === undefined || value === null) return {};
  return typeof value === "string" && fields.includes("content") ? { content: value } : { rescued: value };
}

const EMPTY: Record<FieldKind, unknown> = {
  string: "",
  integer: 0,
  number: 0,
  boolean: false,
  object: {},
  array: [],
  any: null,
};

/** Missing fields of which more can be said than that they are empty. */
const MADE_UP: Readonly<Record<string, (data: JsonObject, around: Around) => unknown>> = {
  sessionId: (_, { session }) => session,
  version: () => 1,
  producer: () => "copilot-agent",
  copilotVersion: () => "unknown",
  startTime: (_, { time }) => time,
  resumeTime: (_, { time }) => time,
  messageId: (_, { session, place }) => uuidOf(`${session}:${place}:message`),
  toolCallId: (_, { session, place }) => `rescued-${uuidOf(`${session}:${place}:call`)}`,
  toolName: () => "unknown",
  role: () => "system",
  turnId: () => "0",
  success: ({ error }) => error === undefined || error === null,
};

function toKind(value: unknown, kind: FieldKind): unknown {
  if (isKind(value, kind)) return value;
  switch (kind) {
    case "string":
      return asText(value);
    case "integer":
      return Math.trunc(toNumber(value)) || 0;
    case "number":
      return toNumber(value) || 0;
    case "boolean":
      return value === "true" || value === 1;
    case "array":
      return [value];
    default:
      return { rescued: value };
  }
}

const toNumber = (value: unknown): number =>
  typeof value === "string" || typeof value === "boolean" ? Number(value) : (asNumber(value) ?? 0);
const asText = (value: unknown): string => (typeof value === "string" ? value : writeJson(value));

/** Parts that may be absent, but are checked once they are there. */
function repairOptional(
  data: JsonObject,
  allows: NonNullable<EventType["allows"]>,
  { session, place }: Around,
): JsonObject {
  const repaired: JsonObject = {};
  for (const [field, part] of Object.entries(allows)) {
    if (typeof part === "string") Object.assign(repaired, as(data, field, part));
    else if (part.kind === "object")
      Object.assign(repaired, holding(data, field, Object.keys(part.requires)[0] ?? ""));
    else
      Object.assign(
        repaired,
        as(data, field, part.kind, (list) =>
          (list as unknown[]).map((each, index) => {
            const call = isObject(each) ? each : { rescued: each };
            const id = `rescued-${uuidOf(`${session}:${place}:${index}`)}`;
            return {
              ...call,
              toolCallId: asText(call.toolCallId ?? id),
              name: asText(call.name ?? "unknown"),
            };
          }),
        ),
      );
  }
  return repaired;
}

function as(
  data: JsonObject,
  field: string,
  kind: FieldKind,
  repair: (value: unknown) => unknown = (value) => value,
): JsonObject {
  const value = memberOf(data, field);
  return value === undefined || value === null ? {} : { [field]: repair(toKind(value, kind)) };
}

/** An object whose text is under that name; a bare text becomes one. */
function holding(data: JsonObject, field: string, name: string): JsonObject {
  const value = memberOf(data, field);
  if (value === undefined || value === null) return {};
  if (!isObject(value)) return { [field]: { [name]: asText(value) } };
  return { [field]: { ...value, [name]: asText(memberOf(value, name) ?? "") } };
}
