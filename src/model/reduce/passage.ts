/** A table of the passages of a session that can be cut: the kind and cost of each, without its text. */
import type { Reduction } from "./reduction.ts";

export type PassageKind =
  | "prompt"
  | "answer"
  | "thought"
  | "start"
  | "result"
  /** Sent to the model as the user: notices, and the output of the user's own commands. */
  | "said"
  | "summary"
  | "clear"
  /** It holds for all that follows. */
  | "setting"
  | "other";

export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly tokens: number;
  /** It changes files. */
  readonly edits?: boolean;
}

export interface Passage {
  readonly kind: PassageKind;
  /** The turn it belongs to; -1 before the first. */
  readonly turn: number;
  /** What its text costs, calls and thoughts not counted. */
  readonly tokens: number;
  /** The model no longer receives it, as something later stands for it. */
  readonly unseen?: boolean;
  /** The call that it is about, or in which a sub-agent wrote it. */
  readonly call?: string;
  readonly makes?: readonly MadeCall[];
  readonly failed?: boolean;
  /** It holds thoughts, which cost so much; nothing where the model never gets them again. */
  readonly thinks?: number;
}

/** Asked for with every budget. */
const known = new WeakMap<readonly Passage[], readonly string[]>();

/** The calls of the model itself, oldest first. */
export function callsOf(passages: readonly Passage[]): readonly string[] {
  const calls = known.get(passages) ?? [
    ...new Set(passages.flatMap(({ makes }) => makes ?? []).map(({ id }) => id)),
  ];
  known.set(passages, calls);
  return calls;
}

/** Tokens of long texts are estimated from their start; the result is measured later. */
const SAMPLE = 1000;

/** Where no budget is to be kept, all that matters is whether there is a text. */
export const weigherFor =
  ({ budget }: Reduction, count: (text: string) => number) =>
  (text: string): number => {
    if (budget === undefined) return text === "" ? 0 : 1;
    return text.length <= 2 * SAMPLE ? count(text) : (count(text.slice(0, SAMPLE)) * text.length) / SAMPLE;
  };
