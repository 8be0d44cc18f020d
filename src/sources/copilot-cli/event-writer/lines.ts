/**
 * Converts events to lines: drops what is not kept, reduces bulky output, fills in the envelope, and links the chain.
 */
import { AppError } from "../../../model/errors.ts";
import { asObject, type JsonObject } from "../../log/jsonl.ts";
import { isEphemeralType } from "../log/event-types.ts";
import { envelopeFault, whyRefused } from "../log/validate.ts";
import type { CopilotEvent, NewEvent } from "./event.ts";

export interface LineMaker {
  /** With its line feed; nothing for an event that is not kept. Throws for one that Copilot CLI would refuse. */
  next(event: NewEvent): string | undefined;
}

export interface LineMakerOptions {
  /** The id of the last line that is there. */
  readonly lastId: string | null;
  readonly now: () => Date;
  readonly newId: () => string;
}

export function createLineMaker({ lastId, now, newId }: LineMakerOptions): LineMaker {
  let parentId = lastId;
  return {
    next(event) {
      if (!isKept(event)) return undefined;
      const { type, data, id, timestamp, parentId: _, ...more } = event;
      const line: CopilotEvent = {
        type,
        data: withoutBulk(type, data),
        ...more,
        id: id ?? newId(),
        timestamp: timestamp ?? now().toISOString(),
        parentId,
      };
      const text = toText(type, line);
      // What was given may turn into something else as JSON (a date, a missing field), so that is what is judged.
      const meant = JSON.parse(text);
      const why = envelopeFault(meant) ?? whyRefused(meant);
      if (why !== undefined) throw refused(type, why);
      parentId = line.id;
      return `${text}\n`;
    },
  };
}

export const isKept = ({ type, ephemeral }: Pick<NewEvent, "type" | "ephemeral">): boolean =>
  ephemeral !== true && !isEphemeralType(type);

/** A value that refers to itself, a bigint, or one that is nested too deeply, is no JSON. */
function toText(type: string, line: CopilotEvent): string {
  try {
    return JSON.stringify(line);
  } catch (error) {
    throw refused(type, `it cannot be written as JSON (${(error as Error).message})`);
  }
}

/** One such line, and the program refuses the whole session. */
const refused = (type: string, why: string): AppError =>
  new AppError(
    "usage",
    `Copilot CLI would refuse a session with this ${type}: ${why}`,
    "Complete the event and write it again; no part of it was written",
  );

/** Asked of the real 1.0.102: up to this many bytes an output is kept whole. */
const MOST_BYTES = 20_480;
const PREVIEW = 500;

/** Texts of a result, which become a notice; whatever else is bulky in it (pictures, structures) goes. */
const TEXTS = new Set(["content", "detailedContent", "message"]);

function withoutBulk(type: string, data: object): object {
  const given = type === "tool.execution_complete" ? asObject(data) : undefined;
  if (!given) return data;
  const [result, error] = [asObject(given.result), asObject(given.error)];
  return { ...data, ...(result && { result: shrink(result) }), ...(error && { error: shrink(error) }) };
}

function shrink(part: JsonObject): JsonObject {
  const kept = Object.entries(part).flatMap(([key, value]): [string, unknown][] => {
    const isText = TEXTS.has(key) && typeof value === "string";
    const bytes = isText ? Buffer.byteLength(value) : bytesOf(value);
    if (bytes <= MOST_BYTES) return [[key, value]];
    return isText ? [[key, notice(value, bytes)]] : [];
  });
  return Object.fromEntries(kept);
}

/** What cannot be JSON is rejected when the line is written. */
function bytesOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? "");
  } catch {
    return 0;
  }
}

function notice(text: string, bytes: number): string {
  const preview = text.slice(0, PREVIEW).replace(/[\ud800-\udbff]$/, ""); // no half of a pair at its end
  return `Output too large to keep (${(bytes / 1024).toFixed(1)} KB).\n\nPreview (first ${PREVIEW} chars):\n${preview}`;
}
