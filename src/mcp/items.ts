/** Fits a list into a budget: first as many items as go in their shortest form, then longer forms, the first items first. */
import { cutTo, type Room } from "./answer.ts";

export interface Item {
  /** The same in fewer and fewer words, the longest first. */
  readonly forms: readonly [string, ...string[]];
}

export interface FittedItems {
  readonly text: string;
  /** How many of the items are there. */
  readonly shown: number;
  /** The positions of those that are not in their longest form. */
  readonly shortened: readonly number[];
}

const BETWEEN = "\n\n";

export function fitItems(items: readonly Item[], { tokens, count }: Room): FittedItems {
  const costs = new Map<string, number>();
  const last = (at: number): number => (items[at]?.forms.length ?? 1) - 1;
  // Counted when it is needed: of a long list most is never looked at.
  const costOf = (at: number, form: number): number => {
    const text = items[at]?.forms[form] ?? "";
    const cost = costs.get(text) ?? count(text) + 1;
    costs.set(text, cost);
    return cost;
  };
  let left = tokens;
  let shown = 0;
  while (shown < items.length && costOf(shown, last(shown)) <= left) left -= costOf(shown, last(shown++));
  const [first] = items;
  if (shown === 0 && first) return cutFirst(first, { tokens, count });
  const chosen = items.slice(0, shown).map((_, at) => last(at));
  const longest = items.slice(0, shown).reduce((most, { forms }) => Math.max(most, forms.length), 0);
  for (let round = 1; round < longest; round++)
    for (const [at, form] of chosen.entries()) {
      const next = Math.min(form, Math.max(0, last(at) - round));
      const more = costOf(at, next) - costOf(at, form);
      if (more > left) continue;
      left -= more;
      chosen[at] = next;
    }
  return {
    text: chosen.map((form, at) => items[at]?.forms[form] ?? "").join(BETWEEN),
    shown,
    shortened: chosen.flatMap((form, at) => (items[at]?.forms[form] === items[at]?.forms[0] ? [] : [at])),
  };
}

/** Not even the first has room: its beginning is better than nothing. */
function cutFirst({ forms }: Item, { tokens, count }: Room): FittedItems {
  const text = cutTo(forms.at(-1) ?? forms[0], tokens, count);
  return { text, shown: text === "" ? 0 : 1, shortened: text === "" ? [] : [0] };
}
