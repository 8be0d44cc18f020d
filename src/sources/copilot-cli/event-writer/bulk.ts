/** Replaces bulky tool output by a notice with a preview, as Copilot CLI does. Pure. */
import { asObject, type JsonObject } from "../../jsonl.ts";

/** Asked of the real 1.0.102: up to this many bytes an output is kept whole. */
const MOST_BYTES = 20_480;
const PREVIEW = 500;

/** Texts of a result, which become a notice; whatever else is bulky in it (pictures, structures) goes. */
const TEXTS = new Set(["content", "detailedContent", "message"]);

export function withoutBulk(type: string, data: object): object {
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
