/** Shared by line-based sources: parses a line to a record, or to the reason why it is not one. */
import { isUtf8 } from "node:buffer";
import type { ProblemCode } from "../../model/problem.ts";
import type { Origin } from "../../model/session/session.ts";
import { cutDeep, MAX_DEPTH } from "../../model/values/json.ts";
import type { Line } from "../../platform/fs/lines.ts";

export type JsonObject = Record<string, unknown>;

export type Decoded =
  | {
      readonly kind: "record";
      readonly record: JsonObject;
      readonly replaced: boolean;
      /** What is nested too deeply was left out. */
      readonly isCut: boolean;
    }
  | { readonly kind: "blank" }
  | { readonly kind: "bad"; readonly code: ProblemCode; readonly why: string };

/** Why a record is not shown as it is. */
export const TOO_DEEP_TO_SHOW = `nested deeper than ${MAX_DEPTH} levels; the deeper levels are not shown`;

/** `exact` is for callers that write the record again: it then holds all that was written, however deeply nested. */
export function decodeLine(line: Line, exact = false): Decoded {
  if (line.isPartial)
    return {
      kind: "bad",
      code: "too-large",
      why: `a record of ${megabytes(line)} MB, more than can be read`,
    };
  const text = line.bytes.toString("utf8");
  if (text.trim() === "") return { kind: "blank" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (/^\0+$/.test(text)) {
      // Of a longer line it is not known what else is in it.
      const why = line.cut > 0 ? "NUL bytes" : `${text.length} NUL bytes instead of a record`;
      return { kind: "bad", code: "record-unreadable", why };
    }
    if (!line.ended)
      return { kind: "bad", code: "record-torn", why: "the last line stops in the middle of a record" };
    return { kind: "bad", code: "record-unreadable", why: "the line is not valid JSON" };
  }
  if (!isObject(value))
    return { kind: "bad", code: "record-unreadable", why: "the line is JSON, but not an object" };
  // Bytes that are no UTF-8 turn into U+FFFD, which few texts hold otherwise: only those need a second look.
  const replaced = text.includes("\ufffd") && !isUtf8(line.bytes);
  return {
    kind: "record",
    record: value,
    replaced,
    isCut: !exact && text.length > 2 * MAX_DEPTH && cutDeep(value),
  };
}

/**
 * What stands in a part of a record: nothing where that is no JSON, or nested too deeply for a part, or may have bytes
 * that are not UTF-8.
 */
export function parsePart(text: string): unknown {
  if (text.includes("\ufffd")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return text.length >= 2 * DEPTH_OF_PART && cutDeep(value, DEPTH_OF_PART) ? undefined : value;
  } catch {
    return undefined;
  }
}
/** The record itself is a level, too. */
const DEPTH_OF_PART = MAX_DEPTH - 1;

export const megabytes = ({ start, end }: Pick<Line, "start" | "end">): number =>
  Math.round((end - start) / (1 << 20));

export const originOf = (line: Line, file?: string): Origin => ({
  line: line.number,
  start: line.start,
  end: line.end,
  ...(file !== undefined && { file }),
});

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const asString = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;
export const asNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);
export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The first line of a prompt, short enough for a table. */
export function titleFrom(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0]?.trim() ?? "";
  return line.length > 100 ? `${line.slice(0, 99).trimEnd()}…` : line;
}
