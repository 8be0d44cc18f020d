/**
 * The changes of a session in little memory. A long log has hundreds of thousands of them, and objects that live that
 * long cost several times their size; so all but their values is kept as numbers.
 */
import type { Path } from "./json-outline.ts";
import type { Change, Held } from "./parsed-session.ts";

/** A turn as the number of its last change, which knows the one before it. */
export type TurnSlot = number;

export interface ChangeTable {
  /** Adds a change behind those of a turn, or as the first of a new one. */
  add(change: Change, after?: TurnSlot): TurnSlot;
  /** The changes of a turn, oldest first. */
  of(slot: TurnSlot): Change[];
  /** Whether the turn has been changed since it was first there. */
  isChanged(slot: TurnSlot): boolean;
}

const EFFECTS = ["set", "push", "delete"] as const;
const NONE = -1;
/** Numbers for each change: the one before it, effect, path, keep, held, line, start, end, at. */
const WIDTH = 9;

export function createChangeTable(): ChangeTable {
  let numbers = new Float64Array(32 * WIDTH);
  let count = 0;
  const helds: Held[] = [];
  const keeps: Change["keep"][] = [];
  const paths = createPaths();

  const before = (slot: TurnSlot): TurnSlot => numbers[slot * WIDTH] as number;
  const get = (slot: TurnSlot): Change => {
    const from = slot * WIDTH;
    const [, effect = 0, path = 0, keep = 0, held = 0, line = 0, start = 0, end = 0, at = 0] =
      numbers.subarray(from, from + WIDTH);
    const origin = { line, start, end, at: paths.get(at) };
    return {
      effect: EFFECTS[effect] ?? "set",
      path: paths.get(path),
      held: helds[held] ?? origin,
      keep: keeps[keep],
      origin,
    };
  };

  return {
    add({ effect, path, held, keep, origin }, after = NONE) {
      const at = count * WIDTH;
      if (at === numbers.length) {
        const more = new Float64Array(2 * numbers.length);
        more.set(numbers);
        numbers = more;
      }
      // A value left in the file is found again by its origin.
      const heldAt = held === origin ? NONE : helds.push(held) - 1;
      numbers.set(
        [
          after,
          EFFECTS.indexOf(effect),
          paths.add(path),
          keep === undefined ? NONE : keeps.push(keep) - 1,
          heldAt,
          origin.line,
          origin.start,
          origin.end,
          paths.add(origin.at),
        ],
        at,
      );
      return count++;
    },
    of(slot) {
      const changes: Change[] = [];
      for (let at = slot; at !== NONE; at = before(at)) changes.push(get(at));
      return changes.reverse();
    },
    isChanged: (slot) => before(slot) !== NONE,
  };
}

/** Most changes are to one of a few fields: each path is kept once. */
function createPaths() {
  const list: Path[] = [];
  const known = new Map<string, number>();
  return {
    get: (index: number): Path => list[index] ?? [],
    add(path: Path): number {
      const key = JSON.stringify(path);
      const index = known.get(key) ?? list.push(path) - 1;
      known.set(key, index);
      return index;
    },
  };
}
