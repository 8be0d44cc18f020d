/** What a budget does, in a few words: what is shortened, what is dropped, whether all turns stay. */
import { amount, compact, plural } from "../../../../../src/present/text/measure.ts";
import type { LensBudget } from "./types.ts";

export function ledgerText({ ledger, alreadyFits, reachable, smallest }: LensBudget): string {
  if (alreadyFits) return "everything fits";
  const { turns, toolCalls, texts, thoughts } = ledger;
  const all = [toolCalls, texts, thoughts];
  const shortened = all.reduce((sum, { cut }) => sum + cut, 0);
  const dropped = all.reduce((sum, { dropped: gone }) => sum + gone, 0);
  return [
    ...(reachable ? [] : [`the smallest is ${compact(smallest)}`]),
    ...(shortened > 0 ? [`${amount(shortened)} shortened`] : []),
    ...(dropped > 0 ? [`${amount(dropped)} dropped`] : []),
    turns.dropped === 0 ? "all turns kept" : `${plural(turns.dropped, "turn", "turns")} left out`,
  ].join(", ");
}
