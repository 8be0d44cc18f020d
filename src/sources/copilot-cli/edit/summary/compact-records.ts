/** The two records of a compaction, as the program writes them. */
import { uuidOf } from "../../../../model/values/stable-id.ts";
import type { JsonObject } from "../../../log/jsonl.ts";

export interface CompactionOf {
  /** The session that it is of, and what tells this compaction from its others. */
  readonly id: string;
  readonly summary: string;
  readonly checkpoint: { readonly number: number; readonly path: string };
  readonly time: string;
  /** Messages that the model would have received; only where all of them go. */
  readonly messages?: number;
}

/** Without their links to the record before. Nothing is said of tokens: only the program knows what its own prompt takes. */
export function toCompaction({ id, summary, checkpoint, time, messages }: CompactionOf): JsonObject[] {
  const idOf = (what: string): string => uuidOf(`${id} ${checkpoint.number} ${time} ${what}`);
  const attempt = { compactionAttemptId: idOf("attempt") };
  const record = (type: string, data: JsonObject): JsonObject => ({
    type: `session.${type}`,
    data,
    id: idOf(type),
    timestamp: time,
  });
  return [
    record("compaction_start", { ...attempt, trigger: "manual" }),
    record("compaction_complete", {
      success: true,
      outcome: "applied",
      ...attempt,
      ...(messages !== undefined && {
        preCompactionMessagesLength: messages,
        messagesRemoved: Math.max(0, messages - 1),
      }),
      summaryContent: summary,
      trigger: "manual",
      checkpointNumber: checkpoint.number,
      checkpointPath: checkpoint.path,
    }),
  ];
}
