/** Bit masks that say which words of a query each row contains. Pure. */
import { FIRST_TEXT_ID } from "./index.ts";

export interface Masks {
  /** One bit for each list that has the row. */
  of(id: number): number;
  /** The rows that are worth most, the newest of equals. */
  heaviest(worth: (mask: number) => number, most: number): number[];
}

/** Ids of turns are dense, and so are those of texts: an array does what a map would take ten times as long for. */
interface Part {
  readonly first: number;
  readonly masks: Uint16Array;
}

/** Of at most 16 lists. */
export function createMasks(lists: readonly (readonly number[])[]): Masks {
  const turns = toPart(lists, 0, FIRST_TEXT_ID);
  const texts = toPart(lists, FIRST_TEXT_ID, Number.POSITIVE_INFINITY);
  return {
    of(id) {
      const { first, masks } = id < FIRST_TEXT_ID ? turns : texts;
      return masks[id - first] ?? 0;
    },
    heaviest(worth, most) {
      const kinds = new Set([...turns.masks, ...texts.masks]);
      kinds.delete(0);
      const taken: number[] = [];
      for (const kind of [...kinds].sort((a, b) => worth(b) - worth(a)))
        for (const { first, masks } of [texts, turns])
          for (let at = masks.lastIndexOf(kind); at >= 0 && taken.length < most; at = before(masks, kind, at))
            taken.push(first + at);
      return taken;
    },
  };
}

function toPart(lists: readonly (readonly number[])[], first: number, end: number): Part {
  let last = first;
  for (const list of lists) for (const id of list) if (id > last && id < end) last = id;
  const masks = new Uint16Array(last - first + 1);
  for (const [bit, list] of lists.entries())
    for (const id of list)
      if (id >= first && id < end) masks[id - first] = (masks[id - first] ?? 0) | (1 << bit);
  return { first, masks };
}

const before = (masks: Uint16Array, kind: number, at: number): number =>
  at === 0 ? -1 : masks.lastIndexOf(kind, at - 1);
