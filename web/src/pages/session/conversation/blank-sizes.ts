/** How high a turn is that is not held: as high as it was, or as its size in the log lets one guess. */
import { useState } from "react";
import type { OutlineTurn } from "../types.ts";
import type { Row } from "./rows.ts";

type Sizes = ReadonlyMap<unknown, number>;

export interface BlankSizes {
  readonly sizeOf: (turn: OutlineTurn) => number;
  /** The rows that are held now, and where their measured sizes will be. */
  readonly remember: (rows: readonly Row[], sizes: Sizes) => void;
}

export const useBlankSizes = (): BlankSizes => useState(createBlankSizes)[0];

function createBlankSizes(): BlankSizes {
  const heights = new Map<number, number>();
  let rows: readonly Row[] = [];
  let sizes: Sizes = new Map();
  /** Only when turns may have been let go of: to add up thousands of rows at each step of a scroll would be felt. */
  let isStale = false;
  const addUp = (): void => {
    isStale = false;
    const sums = new Map<number, number>();
    for (const { key, kind, turn, size } of rows)
      if (kind !== "head" && kind !== "blank")
        sums.set(turn, (sums.get(turn) ?? 0) + (sizes.get(key) ?? size));
    for (const [turn, height] of sums) heights.set(turn, height);
  };
  return {
    sizeOf(turn) {
      if (isStale) addUp();
      return heights.get(turn.index) ?? guess(turn);
    },
    remember(now, measured) {
      rows = now;
      sizes = measured;
      isStale = true;
    },
  };
}

/** Most bytes of a log are results, which are folded. */
const guess = ({ bytes, toolCalls }: OutlineTurn): number =>
  Math.max(80, Math.min(6_000, 40 * Math.min(20, toolCalls) + (bytes ?? 4_000) / 60));
