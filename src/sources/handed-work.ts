/** Notes beside a prompt which turn it was before a handoff, and reads it again: by that the two count once. */
import { asNumber, asObject, type JsonObject } from "./log/jsonl.ts";

/** What programs ignore: a member of a record of theirs. */
export const workNote = ({ work }: { readonly work?: number }): JsonObject =>
  work === undefined ? {} : { handoff: { work } };

export function workIn(record: JsonObject | undefined): { readonly work?: number } {
  const work = asNumber(asObject(record?.handoff)?.work);
  return work !== undefined && Number.isSafeInteger(work) ? { work } : {};
}
