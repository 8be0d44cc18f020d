/** Derives a session's entry in VS Code's list from its file. */
import { toMs } from "../../../../model/values/time.ts";
import type { InspectedTurn, Inspection } from "../copy/inspect.ts";
import type { EntryFacts } from "./list.ts";

/** VS Code's own number for an answer that came to its end. */
const COMPLETE = 1;

export function factsOf(
  { head }: Pick<Inspection, "head">,
  turns: readonly InspectedTurn[],
  now: Date,
): Omit<EntryFacts, "id" | "title" | "now"> {
  const last = turns.at(-1);
  return {
    created: toMs(head.creationDate) ?? last?.endedAt ?? now.getTime(),
    started: last?.startedAt,
    ended: last?.endedAt,
    turns: turns.length,
    state: last?.state ?? COMPLETE,
  };
}
