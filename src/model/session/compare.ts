/** Compares two sessions turn by turn. */

import { append } from "../values/lists.ts";
import { longestCommon } from "./lcs.ts";
import { ASPECTS, type Aspect, type TurnDigest } from "./turn-digest.ts";

export type DiffStep =
  | { readonly kind: "same"; readonly a: number; readonly b: number; readonly count: number }
  /** The same prompt, but not what followed. */
  | {
      readonly kind: "changed";
      readonly a: TurnDigest;
      readonly b: TurnDigest;
      readonly differs: readonly Aspect[];
    }
  | { readonly kind: "only-a"; readonly a: TurnDigest }
  | { readonly kind: "only-b"; readonly b: TurnDigest };

export interface Sides {
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  readonly both: readonly string[];
}

export interface Comparison {
  /** How many turns are the same from the first on. */
  readonly shared: number;
  /** All turns of both, in order. */
  readonly steps: readonly DiffStep[];
  /** Of the turns that are not the same. */
  readonly files: Sides;
  readonly commands: Sides;
}

export interface CompareOptions {
  /** The two come from different programs: what counts is what was said and done, not how each writes it down. */
  readonly acrossSources: boolean;
}

export function compareTurns(
  a: readonly TurnDigest[],
  b: readonly TurnDigest[],
  { acrossSources }: CompareOptions,
): Comparison {
  const keyOf = acrossSources ? keyAcrossSources : keyWithinSource;
  const steps: DiffStep[] = [];
  let [atA, atB] = [0, 0];
  // A pair beyond the end closes the last gap.
  for (const [i, j] of [...longestCommon(a.map(keyOf), b.map(keyOf)), [a.length, b.length] as const]) {
    append(steps, compareGap(a.slice(atA, i), b.slice(atB, j), acrossSources));
    const last = steps.at(-1);
    if (i < a.length && last?.kind === "same") steps[steps.length - 1] = { ...last, count: last.count + 1 };
    else if (i < a.length) steps.push({ kind: "same", a: i, b: j, count: 1 });
    [atA, atB] = [i + 1, j + 1];
  }
  const [first] = steps;
  const ofA = steps.flatMap((step) => (step.kind === "changed" || step.kind === "only-a" ? step.a : []));
  const ofB = steps.flatMap((step) => (step.kind === "changed" || step.kind === "only-b" ? step.b : []));
  return {
    shared: first?.kind === "same" && first.a === 0 && first.b === 0 ? first.count : 0,
    steps,
    files: toSides(ofA, ofB, (turn) => turn.files),
    commands: toSides(ofA, ofB, (turn) => turn.commands),
  };
}

/** Between two turns that are the same: the same prompt may have been answered in another way. */
function compareGap(a: readonly TurnDigest[], b: readonly TurnDigest[], acrossSources: boolean): DiffStep[] {
  const promptOf = (turn: TurnDigest): string => turn.hashes.prompt;
  const steps: DiffStep[] = [];
  let [atA, atB] = [0, 0];
  for (const [i, j] of [...longestCommon(a.map(promptOf), b.map(promptOf)), [a.length, b.length] as const]) {
    for (const turn of a.slice(atA, i)) steps.push({ kind: "only-a", a: turn });
    for (const turn of b.slice(atB, j)) steps.push({ kind: "only-b", b: turn });
    const [left, right] = [a[i], b[j]];
    if (left && right)
      steps.push({ kind: "changed", a: left, b: right, differs: differing(left, right, acrossSources) });
    [atA, atB] = [i + 1, j + 1];
  }
  return steps;
}

function differing(a: TurnDigest, b: TurnDigest, acrossSources: boolean): Aspect[] {
  if (!acrossSources) return ASPECTS.filter((aspect) => a.hashes[aspect] !== b.hashes[aspect]);
  return [
    ...(a.hashes.answer === b.hashes.answer ? [] : (["answer"] as const)),
    ...(a.acts === b.acts ? [] : (["calls"] as const)),
  ];
}

const keyWithinSource = ({ hashes }: TurnDigest): string => ASPECTS.map((aspect) => hashes[aspect]).join(" ");
const keyAcrossSources = ({ hashes, acts }: TurnDigest): string =>
  `${hashes.prompt} ${hashes.answer} ${acts}`;

function toSides(
  a: readonly TurnDigest[],
  b: readonly TurnDigest[],
  pick: (turn: TurnDigest) => readonly string[],
): Sides {
  const inA = new Set(a.flatMap(pick));
  const inB = new Set(b.flatMap(pick));
  return {
    onlyA: [...inA.difference(inB)],
    onlyB: [...inB.difference(inA)],
    both: [...inA.intersection(inB)],
  };
}
