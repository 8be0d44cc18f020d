/** Where a jump leads, until the reader moves on: rows that are read or measured meanwhile must not lead past it. */
import { useState } from "react";

/** What is jumped to has been read, rendered and measured by then. */
const HELD_MS = 1500;

export interface Goal {
  readonly set: (turn: number, row?: string) => void;
  /** Goes there again, after what is above has changed. */
  readonly keep: () => void;
  /** The reader scrolls. */
  readonly drop: () => void;
}

export function useGoal(go: (turn: number, row?: string) => void): Goal {
  return useState(() => createGoal(go))[0];
}

export function createGoal(go: (turn: number, row?: string) => void): Goal {
  let goal: { readonly turn: number; readonly row: string | undefined; readonly until: number } | undefined;
  const keep = (): void => {
    if (goal && performance.now() > goal.until) goal = undefined;
    if (goal) go(goal.turn, goal.row);
  };
  return {
    set(turn, row) {
      goal = { turn, row, until: performance.now() + HELD_MS };
      keep();
    },
    keep,
    drop() {
      goal = undefined;
    },
  };
}
