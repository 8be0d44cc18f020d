/** Shortens what tools gave back as Codex CLI does when it reads a log: the middle goes, by an estimate of four bytes a token. */
import { asObject, asString, type JsonObject } from "../../log/jsonl.ts";

const BYTES_PER_TOKEN = 4;

/** Ten thousand for all models of 0.169.0, and a fifth more for what surrounds the text. */
export const OUTPUT_TOKENS = 12_000;

/** A text, or a list of parts whose texts share the limit. */
export function truncateOutput(output: unknown, tokens: number): unknown {
  if (typeof output === "string") return truncateMiddle(output, tokens);
  if (!Array.isArray(output)) return output;
  const parts: unknown[] = [];
  let left = tokens;
  let omitted = 0;
  for (const part of output as readonly unknown[]) {
    const text = asString(asObject(part)?.text);
    if (text === undefined) parts.push(part);
    else if (left === 0) omitted++;
    else {
      parts.push({ ...(part as JsonObject), text: truncateMiddle(text, left) });
      left = Math.max(0, left - tokensOf(Buffer.byteLength(text)));
    }
  }
  if (omitted > 0) parts.push({ type: "input_text", text: `[omitted ${omitted} text items ...]` });
  return parts;
}

const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** The beginning and the end of a text, as much as so many tokens hold. */
export function truncateMiddle(text: string, tokens: number): string {
  const most = tokens * BYTES_PER_TOKEN;
  if (text.length <= most && Buffer.byteLength(text) <= most) return text;
  const bytes = Buffer.from(text);
  const head = Math.floor(most / 2);
  let start = head;
  while (start > 0 && isInsideCharacter(bytes[start])) start--;
  let end = bytes.length - (most - head);
  while (end < bytes.length && isInsideCharacter(bytes[end])) end++;
  const removed = tokensOf(bytes.length - most);
  return `${bytes.toString("utf8", 0, start)}…${removed} tokens truncated…${bytes.toString("utf8", end)}`;
}

const isInsideCharacter = (byte: number | undefined): boolean => ((byte ?? 0) & 0xc0) === 0x80;
