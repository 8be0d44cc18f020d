/** Puts every tool result after its call, in the order of the calls, with placeholders for missing results. */
import { createHash } from "node:crypto";
import type { ContextMessage } from "../../../model/session/context.ts";
import type { ReplayItem, ReplayResult } from "../context/conversation.ts";
import { INTERRUPTED } from "../context/vendor-prompts.ts";

export function pairResults(items: readonly ReplayItem[]): ContextMessage[] {
  const results = resultsById(items);
  const ambiguous = idsUsedTwiceInOneMessage(items);
  const occurrences = new Map<string, number>();
  /** Ids that were used a second time in one message: no result after that finds its call. */
  const spent = new Set<string>();
  const messages: ContextMessage[] = [];

  for (const item of items) {
    if (item.kind === "result") continue;
    const { role, text, calls, origin, madeUp } = item;
    const seen = new Set<string>();
    const answered = calls.map((call) => {
      const occurrence = (occurrences.get(call.id) ?? 0) + 1;
      occurrences.set(call.id, occurrence);
      const renamed = occurrence > 1 && !ambiguous.has(call.id);
      if (seen.has(call.id)) spent.add(call.id);
      seen.add(call.id);
      const result = spent.has(call.id) ? undefined : results.get(call.id)?.shift();
      return { call: { ...call, id: renamed ? uniqueId(call.id, occurrence) : call.id }, result };
    });
    messages.push({
      role,
      text: text.toWellFormed(), // half a surrogate pair, cut by some tool, does not survive the wire
      ...(answered.length > 0 && { toolCalls: answered.map(({ call }) => call) }),
      ...(madeUp && { madeUp }),
      ...(origin && { origin }),
    });
    for (const { call, result } of answered) {
      if (call.id === "") continue;
      messages.push({
        role: "tool",
        text: (result?.text ?? INTERRUPTED).toWellFormed(),
        toolCallId: call.id,
        // Without a record of its own, the text is the program's.
        ...(result?.origin ? { origin: result.origin } : { madeUp: true }),
      });
    }
  }
  return messages;
}

/** The results of each id, one for each time it was called. */
function resultsById(items: readonly ReplayItem[]): Map<string, ReplayResult[]> {
  const results = new Map<string, ReplayResult[]>();
  for (const item of items) {
    if (item.kind === "message") continue;
    const sofar = results.get(item.callId);
    if (sofar) sofar.push(item);
    else results.set(item.callId, [item]);
  }
  return results;
}

/** The program does not rename these: it could not tell whose result is whose. */
function idsUsedTwiceInOneMessage(items: readonly ReplayItem[]): Set<string> {
  const twice = new Set<string>();
  for (const item of items) {
    if (item.kind !== "message") continue;
    const seen = new Set<string>();
    for (const { id } of item.calls) {
      if (seen.has(id)) twice.add(id);
      seen.add(id);
    }
  }
  return twice;
}

/** The id under which a re-used one goes over the wire: a hash of the id and how often it was used. */
function uniqueId(id: string, occurrence: number): string {
  const count = Buffer.alloc(8);
  count.writeBigUInt64LE(BigInt(occurrence));
  const hash = createHash("sha256").update(`copilot-chat-completions-tool-call-id\0${id}\0`).update(count);
  return `call_${hash.digest("hex").slice(0, 32)}`;
}
