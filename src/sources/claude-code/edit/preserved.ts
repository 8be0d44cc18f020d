/** The rows that a compaction preserves, as it lists them. */
import { asArray, asObject, type JsonObject } from "../../log/jsonl.ts";

/** What a compaction says of itself, with only these of the rows that it preserved. */
export function keepPreserved(metadata: JsonObject, kept: readonly string[]): JsonObject {
  const { preservedMessages, preservedSegment, ...rest } = metadata;
  const left = new Set(kept);
  const listed = (ids: unknown): string[] =>
    asArray(ids).filter((id): id is string => typeof id === "string" && left.has(id));
  const messages = asObject(preservedMessages);
  const segment = asObject(preservedSegment);
  return {
    ...rest,
    ...(segment &&
      kept.length > 0 && { preservedSegment: { ...segment, headUuid: kept[0], tailUuid: kept.at(-1) } }),
    ...(messages &&
      kept.length > 0 && {
        preservedMessages: {
          ...messages,
          uuids: kept,
          ...("allUuids" in messages && { allUuids: listed(messages.allUuids) }),
        },
      }),
  };
}
