/** The steps of a comparison as rows with a left and a right side. */
import type { Answer } from "../../../../src/client/index.ts";

type Step = Answer<"diff">["turns"][number];

export type Pair =
  /** Turns that are the same, folded. */
  | { readonly kind: "same"; readonly a: number; readonly b: number; readonly count: number }
  | {
      readonly kind: "apart";
      readonly a: number | undefined;
      readonly b: number | undefined;
      /** What differs between the two; empty where they are not two versions of one turn. */
      readonly differs: Step["differs"];
    };

/** Turns of one side stand beside those of the other that come at the same place. */
export function toPairs(steps: readonly Step[]): Pair[] {
  const pairs: Pair[] = [];
  let left: number[] = [];
  let right: number[] = [];
  const flush = (): void => {
    for (let i = 0; i < Math.max(left.length, right.length); i++)
      pairs.push({ kind: "apart", a: left[i], b: right[i], differs: [] });
    left = [];
    right = [];
  };
  for (const { change, a, b, count, differs } of steps) {
    if (change === "only-a" && a !== null) left.push(a);
    else if (change === "only-b" && b !== null) right.push(b);
    else {
      flush();
      if (change === "same") pairs.push({ kind: "same", a: a ?? 0, b: b ?? 0, count });
      else pairs.push({ kind: "apart", a: a ?? undefined, b: b ?? undefined, differs });
    }
  }
  flush();
  return pairs;
}

/** "turn 3", "turns 0–6" */
export const rangeText = (from: number, count: number): string =>
  count === 1 ? `turn ${from}` : `turns ${from}–${from + count - 1}`;

/** What the comparison found, in a sentence or two. */
export function summaryOf({ same, shared, turns, preambleDiffers }: Answer<"diff">): string {
  if (same) return "Both say and do the same.";
  const of = (change: Step["change"]): number => turns.filter((step) => step.change === change).length;
  const count = (n: number, words: string): string => `${n} ${n === 1 ? "turn" : "turns"} ${words}`;
  const start =
    shared === 0
      ? "They differ from the first turn on."
      : `${capital(rangeText(0, shared))} ${shared === 1 ? "is" : "are"} the same.`;
  const rest = [
    of("changed") > 0 && count(of("changed"), "changed"),
    of("only-a") > 0 && count(of("only-a"), "only on the left"),
    of("only-b") > 0 && count(of("only-b"), "only on the right"),
  ].filter((part) => part !== false);
  const later =
    turns.filter((step) => step.change === "same").reduce((sum, step) => sum + step.count, 0) - shared;
  return [
    start,
    rest.length > 0 && `${shared > 0 ? "After that: " : ""}${rest.join(", ")}.`,
    later > 0 && `${count(later, later === 1 ? "is" : "are")} the same again.`,
    preambleDiffers && "What stands before the first prompt differs, too.",
  ]
    .filter((part) => part !== false)
    .join(" ");
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
