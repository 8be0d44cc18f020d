/** Reads a row of `turns` as it was written. */
import type { TurnRow } from "./rows.ts";
import { toRange } from "./turn-ranges.ts";

export function toTurnRow(row: Record<string, unknown>): TurnRow {
  const { assistant_response, timestamp, ended_at } = row;
  const range = toRange(row);
  return {
    index: Number(row.turn_index),
    user: String(row.user_message),
    more: String(row.more),
    ...(row.text_bytes !== null && { textBytes: Number(row.text_bytes) }),
    ...(Number(row.files_changed) > 0 && { filesChanged: Number(row.files_changed) }),
    ...(row.compacted === 1 && { hasCheckpoint: true }),
    ...(row.preamble === 1 && { hasPreamble: true }),
    ...(assistant_response !== null && { response: String(assistant_response) }),
    ...(timestamp !== null && { startedAt: String(timestamp) }),
    ...(ended_at !== null && { endedAt: String(ended_at) }),
    ...(range && { range }),
    ...(row.work !== null && { work: Number(row.work) }),
  };
}
