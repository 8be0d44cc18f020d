/** Would Copilot CLI accept this record? If not, it refuses the whole session, and this is the reason. */

import { printed } from "../../../model/text/printed.ts";
import { memberOf } from "../../../model/values/member.ts";
import { isObject, type JsonObject } from "../../log/jsonl.ts";
import type { FieldKind, Fields, Part } from "./event-type.ts";
import { eventTypes } from "./event-types.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** A time as the program itself writes it, on a day that every month has: valid without asking the calendar. */
const PLAIN_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
export const isPlainTime = (value: unknown): value is string =>
  typeof value === "string" && PLAIN_TIME.test(value);

type Shape = readonly (readonly [field: string, kind: FieldKind])[];
/** As lists, made once: they are gone through for every record. */
interface Checks {
  readonly required: Shape;
  readonly optional: Shape;
  readonly parts: readonly (readonly [field: string, part: Omit<Part, "requires">, required: Shape])[];
}
const toShape = (fields: Fields): Shape => Object.entries(fields);
const CHECKS: ReadonlyMap<string, Checks> = new Map(
  [...eventTypes].flatMap(([type, { requires, allows = {} }]) => {
    if (!requires) return [];
    const allowed = Object.entries(allows);
    const checks: Checks = {
      required: toShape(requires),
      optional: allowed.map(([field, part]) => [field, typeof part === "string" ? part : part.kind]),
      parts: allowed.flatMap(([field, part]) =>
        typeof part === "string" ? [] : [[field, part, toShape(part.requires)] as const],
      ),
    };
    return [[type, checks] as const];
  }),
);

/**
 * Unknown types pass unread, so only known ones come here. `hasUsualEnd` is whether the line ends as the program writes it:
 * then its ids are known to be such.
 */
export function whyRefused(raw: JsonObject, hasUsualEnd = false): string | undefined {
  const type = printed(raw.type);
  const checks = CHECKS.get(type);
  const isSound = hasUsualEnd && isPlainTime(raw.timestamp) && raw.agentId === undefined;
  return (
    checks && ((isSound ? ephemeralFault(raw) : envelopeFault(raw)) ?? dataFault(type, raw.data, checks))
  );
}

/** Whether the data of a record has what its type asks for. */
export function isSoundData(type: string, data: JsonObject): boolean {
  const checks = CHECKS.get(type);
  return checks === undefined || dataFault(type, data, checks) === undefined;
}

/** What every line needs, whatever its type. */
export function envelopeFault(raw: JsonObject): string | undefined {
  if (!isUuid(raw.id)) return '"id" is not a UUID';
  if (!isTime(raw.timestamp)) return '"timestamp" is not a date and time with a timezone';
  if (raw.parentId !== null && !isUuid(raw.parentId)) return '"parentId" is neither a UUID nor null';
  if (raw.agentId !== undefined && typeof raw.agentId !== "string") return '"agentId" is not text';
  return ephemeralFault(raw);
}

const ephemeralFault = ({ ephemeral }: JsonObject): string | undefined =>
  ephemeral === undefined || typeof ephemeral === "boolean"
    ? undefined
    : '"ephemeral" is neither true nor false';

function dataFault(type: string, data: unknown, { required, optional, parts }: Checks): string | undefined {
  if (!isObject(data)) return `${type} has no "data"`;
  const fault = fieldFault(type, data, required);
  if (fault !== undefined) return fault;
  for (const [field, kind] of optional) {
    const wrong = optionalFault(data, field, kind);
    if (wrong !== undefined) return wrong;
  }
  for (const [field, part, shape] of parts) {
    const wrong = partFault(memberOf(data, field), part, shape);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function fieldFault(owner: string, data: JsonObject, shape: Shape): string | undefined {
  for (const [field, kind] of shape) {
    const value = memberOf(data, field);
    if (value === undefined) return `${owner} lacks "${field}"`;
    if (!isKind(value, kind)) return `"${field}" of ${owner} is not ${KIND_NAMES[kind]}`;
  }
  return undefined;
}

function optionalFault(data: JsonObject, field: string, kind: FieldKind): string | undefined {
  const value = memberOf(data, field);
  const isFine = value === undefined || value === null || isKind(value, kind);
  return isFine ? undefined : `"${field}" is not ${KIND_NAMES[kind]}`;
}

function partFault(
  value: unknown,
  { kind, called }: Omit<Part, "requires">,
  shape: Shape,
): string | undefined {
  if (kind === "object") return isObject(value) ? fieldFault(called, value, shape) : undefined;
  for (const item of Array.isArray(value) ? value : []) {
    const fault = isObject(item) ? fieldFault(called, item, shape) : `${called} is not an object`;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const KIND_NAMES: Record<FieldKind, string> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  any: "there",
};

export function isKind(value: unknown, kind: FieldKind): boolean {
  if (kind === "any") return true;
  if (kind === "integer") return Number.isInteger(value);
  if (kind === "array") return Array.isArray(value);
  if (kind === "object") return isObject(value);
  return typeof value === kind;
}

export const isUuid = (value: unknown): boolean => typeof value === "string" && UUID.test(value);

/** A real date of the calendar; JavaScript would quietly move 30 February to March, and so must be asked twice. */
export function isTime(value: unknown): boolean {
  if (isPlainTime(value)) return true;
  const date = typeof value === "string" ? TIME.exec(value)?.[1] : undefined;
  if (date === undefined) return false;
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) return false;
  return !printed(value).includes("T24") && !Number.isNaN(new Date(printed(value)).getTime());
}
