/** The rows of a compaction, as the program writes them. */
import { uuidOf } from "../../../../model/values/stable-id.ts";
import type { JsonObject } from "../../../log/jsonl.ts";
import type { Facts } from "../../tree/first-pass.ts";

export interface CompactionOf {
  /** The session that it is of, and which of its compactions it is. */
  readonly id: string;
  readonly number: number;
  readonly now: Date;
  readonly facts: Pick<Facts, "workspace" | "branch" | "producer">;
  /** The row before it. */
  readonly after: string;
  /** The rows that still count, in the order of the conversation. */
  readonly preserved: readonly string[];
  /** What the model reads, and what people are told. */
  readonly text: string;
  readonly note: string;
}

/**
 * The note follows the summary for a reason: the program goes on behind the last row, and with a summary there it would
 * chain the next prompt to a row from before the compaction.
 */
export function toCompaction({ id, number, now, facts, after, preserved, text, note }: CompactionOf): string {
  const timestamp = now.toISOString();
  const idOf = (what: string): string => uuidOf(`${id} ${number} ${timestamp} ${what}`);
  const [boundary, summary] = [idOf("boundary"), idOf("summary")];
  const common = {
    ...{ isSidechain: false, userType: "external", entrypoint: "cli", sessionId: id, timestamp },
    ...(facts.workspace !== undefined && { cwd: facts.workspace }),
    ...(facts.producer !== undefined && { version: facts.producer }),
    ...(facts.branch !== undefined && { gitBranch: facts.branch }),
  };
  const system = { type: "system", isMeta: false, level: "info" };
  const rows: JsonObject[] = [
    {
      ...{ parentUuid: null, logicalParentUuid: after, ...system, subtype: "compact_boundary" },
      ...{ content: "Conversation compacted", uuid: boundary, ...common },
      compactMetadata: { trigger: "manual", ...preservedBy(summary, preserved) },
    },
    {
      ...summaryRow(text),
      ...{ parentUuid: boundary, uuid: summary, ...common },
    },
    {
      ...{ parentUuid: summary, ...system, subtype: "informational", content: note },
      ...{ uuid: idOf("note"), ...common },
    },
  ];
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** A row that the program takes for the summary of what came before. */
export const summaryRow = (text: string): JsonObject => ({
  type: "user",
  message: { role: "user", content: text },
  isVisibleInTranscriptOnly: true,
  isCompactSummary: true,
});

/** Without a list, nothing before the boundary is sent. */
const preservedBy = (anchorUuid: string, uuids: readonly string[]): JsonObject =>
  uuids.length === 0
    ? {}
    : {
        preservedSegment: { headUuid: uuids[0], anchorUuid, tailUuid: uuids.at(-1) },
        preservedMessages: { anchorUuid, uuids, allUuids: uuids },
      };
