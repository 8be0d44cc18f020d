/**
 * Pairs tool calls and results as Claude Code does: the service rejects one without the other, so it repairs both
 * before sending.
 */
import { asString } from "../../log/jsonl.ts";
import { type Message, made, NOTHING, type Piece, piece } from "./wire.ts";

const MISSING_RESULT = "[Tool result missing due to internal error]";
const ORPHAN_RESULT = "[Orphaned tool result removed due to conversation resume]";
const GUTTED_CALL = "[Tool use interrupted]";

export function pair(messages: readonly Message[]): Message[] {
  const out: Message[] = [];
  const called = new Set<string>();
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as Message;
    if (message.role !== "assistant") {
      const left =
        out.at(-1)?.role === "assistant" ? message.pieces : withoutResults(message.pieces, out.length === 0);
      if (left.length > 0) out.push({ ...message, pieces: left });
      continue;
    }
    const calls = new Set<string>();
    const pieces = message.pieces.filter(({ block }) => {
      const id = block.type === "tool_use" ? asString(block.id) : undefined;
      if (id === undefined) return true;
      if (called.has(id)) return false;
      called.add(id);
      calls.add(id);
      return true;
    });
    const empty = message.pieces.length === 0 ? NOTHING : GUTTED_CALL;
    out.push({ ...message, pieces: pieces.length > 0 ? pieces : [made(empty)] });
    const next = messages[at + 1];
    const answers = next?.role === "user" ? next.pieces : [];
    const repaired = matchResults(calls, answers);
    if (next?.role === "user") {
      at++;
      out.push({ ...next, pieces: repaired.length > 0 ? repaired : [made(NOTHING)] });
    } else if (repaired.length > 0) out.push({ role: "user", pieces: repaired });
  }
  return out;
}

function withoutResults(pieces: readonly Piece[], isFirst: boolean): Piece[] {
  const left = pieces.filter(({ block }) => block.type !== "tool_result");
  return left.length === 0 && isFirst && pieces.length > 0 ? [made(ORPHAN_RESULT)] : left;
}

function matchResults(calls: ReadonlySet<string>, pieces: readonly Piece[]): Piece[] {
  const answered = new Set<string>();
  const kept = pieces.filter(({ block }) => {
    if (block.type !== "tool_result") return true;
    const id = asString(block.tool_use_id) ?? "";
    if (!calls.has(id) || answered.has(id)) return false;
    answered.add(id);
    return true;
  });
  const missing = [...calls].filter((id) => !answered.has(id));
  return [
    ...missing.map((id) =>
      piece({ type: "tool_result", tool_use_id: id, content: MISSING_RESULT, is_error: true }, true),
    ),
    ...kept,
  ];
}
