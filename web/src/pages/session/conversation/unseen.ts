/** What the agent has written since the end of the conversation was last looked at. */
import { useCallback, useState } from "react";
import { plural } from "../../../../../src/present/text/measure.ts";
import type { OutlineTurn } from "../types.ts";

interface Seen {
  readonly turns: number;
  readonly last: string;
}

const seenOf = (turns: readonly OutlineTurn[]): Seen => ({
  turns: turns.length,
  last: JSON.stringify(turns.at(-1) ?? null),
});

/** Empty where there is nothing new. `look`: the end is seen now. */
export function useUnseen(turns: readonly OutlineTurn[]): { unseen: string; look: () => void } {
  const [seen, setSeen] = useState<Seen>(() => seenOf(turns));
  const look = useCallback((): void => {
    const now = seenOf(turns);
    setSeen((before) => (before.turns === now.turns && before.last === now.last ? before : now));
  }, [turns]);
  const now = seenOf(turns);
  const more = now.turns - seen.turns;
  // A session that was rewound has less than was seen; the next look sets that right.
  const unseen =
    more > 0
      ? plural(more, "new turn", "new turns")
      : more === 0 && now.last !== seen.last
        ? "More in the last turn"
        : "";
  return { unseen, look };
}
