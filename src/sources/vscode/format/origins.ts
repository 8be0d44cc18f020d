/** Which record of a log a value of a turn comes from: the last one that set it, or pushed it to its list. */
import type { Origin } from "../../../model/session/session.ts";
import type { Path } from "./json-outline.ts";
import type { Change } from "./parsed-session.ts";

export interface Origins {
  /** Adds a change that was applied, with the elements that a push brought. */
  add(change: Change, pushed: { readonly from: number; readonly count: number }): void;
  /** Of the value at this path of the turn. */
  of(path: Path): Origin;
}

interface Applied {
  readonly change: Change;
  readonly from: number;
  readonly count: number;
  readonly order: number;
}

/** An answer may come in thousands of pieces, each asked for: those of one list are found by halving. */
interface List {
  readonly path: Path;
  /** By the first element that each brought; those whose elements were cut off since are gone. */
  readonly pushes: Applied[];
  newest: Applied;
}

export function createOrigins(): Origins {
  let count = 0;
  const others: Applied[] = [];
  const lists = new Map<string, List>();

  const addPush = (applied: Applied): void => {
    const { path } = applied.change;
    const key = JSON.stringify(path);
    const list = lists.get(key) ?? { path, pushes: [], newest: applied };
    while ((list.pushes.at(-1)?.from ?? -1) >= applied.from) list.pushes.pop();
    list.pushes.push(applied);
    list.newest = applied;
    lists.set(key, list);
  };

  const candidateIn = ({ path: listPath, pushes, newest }: List, path: Path): Applied | undefined => {
    if (!isBeginning(listPath, path) && !isBeginning(path, listPath)) return undefined;
    if (path.length <= listPath.length) return newest;
    const index = path[listPath.length] as number;
    const push = pushes[indexAfter(pushes, index) - 1];
    return push && index < push.from + push.count ? push : undefined;
  };
  const isSetBy = ({ change }: Applied, path: Path): boolean =>
    (isBeginning(change.path, path) || isBeginning(path, change.path)) &&
    (change.effect !== "delete" || path.length === 0);

  return {
    add(change, pushed) {
      const applied = { change, ...pushed, order: count++ };
      if (change.effect === "push") addPush(applied);
      else others.push(applied);
    },
    of(path) {
      let newest = others.findLast((each) => isSetBy(each, path));
      for (const list of lists.values()) {
        const candidate = candidateIn(list, path);
        if (candidate && candidate.order > (newest?.order ?? -1)) newest = candidate;
      }
      if (!newest) throw new Error("a turn is made of at least one change");
      return originFrom(newest, path);
    },
  };
}

function originFrom({ change: { origin, effect, path: changed }, from }: Applied, path: Path): Origin {
  const rest = path.slice(changed.length);
  if (effect === "set") return { ...origin, at: [...origin.at, ...rest] };
  if (rest.length === 0) return origin;
  return { ...origin, at: [...origin.at, (rest[0] as number) - from, ...rest.slice(1)] };
}

const isBeginning = (path: Path, of: Path): boolean =>
  path.length <= of.length && path.every((step, i) => step === of[i]);

/** The index of the first push that begins behind this element. */
function indexAfter(pushes: readonly Applied[], element: number): number {
  let [low, high] = [0, pushes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pushes[middle] as Applied).from <= element) low = middle + 1;
    else high = middle;
  }
  return low;
}
