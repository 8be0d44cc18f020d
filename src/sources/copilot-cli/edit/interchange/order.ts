/** Checks the order of records: calls after an answer, results after their calls and before the next message. */
import type { Complain, InterchangeRecord } from "./records.ts";

export function checkOrder(records: readonly InterchangeRecord[], complain: Complain): void {
  const lines = new Map<string, number>();
  const calls = new Map<string, { readonly turnId: string | undefined; readonly segment: number }>();
  const answered = new Set<string>();
  let segment = 0;
  let answer: { readonly turnId: string | undefined } | undefined;
  for (const record of records) {
    const { line, id, turnId } = record;
    const before = lines.get(id);
    if (before !== undefined) {
      complain(line, `Record id duplicates line ${before}.`);
      continue;
    }
    lines.set(id, line);
    if (record.type === "message") {
      segment++;
      answer = record.role === "assistant" ? { turnId } : undefined;
    } else if (record.type === "tool-call") {
      if (!answer || (turnId !== undefined && turnId !== answer.turnId))
        complain(line, "Tool calls require a preceding assistant message in the same turn.");
      calls.set(id, { turnId, segment });
    } else {
      const call = calls.get(record.toolCallId);
      if (!call) complain(line, `Tool result references unknown or later tool call '${record.toolCallId}'.`);
      else if (answered.has(record.toolCallId))
        complain(line, `Tool call '${record.toolCallId}' already has a result.`);
      else if (call.segment !== segment)
        complain(line, "Tool results must appear before the next message record.");
      else if (call.turnId !== turnId) complain(line, "Tool result turnId must match its tool call.");
      answered.add(record.toolCallId);
    }
  }
}
