/** Cuts the text of a tool's result to what its reader wants, and says what was cut. */
import { factsOf, type ResultFacts } from "../../model/session/result-facts.ts";
import { KEEP } from "../../platform/fs/lines.ts";

/**
 * Whether what a huge record lost can be missing from this text. So much is kept of each text in it; where pictures stand
 * beside a shorter one, they are what is missing.
 */
export const mayBeCut = (text: string): boolean => Buffer.byteLength(text) > KEEP - LONGEST_ESCAPE;

/** A cut leaves escapes whole. */
const LONGEST_ESCAPE = 8;

export interface LimitedResult {
  readonly text: string;
  /** Characters that were left out. */
  readonly cut?: number;
  /** Of the whole text. */
  readonly facts?: ResultFacts;
}

export function limitResult(text: string, limit: number): LimitedResult {
  if (text.length <= limit) return { text };
  const cut = text.length - limit;
  // Who wants none of it looks at no result.
  return limit === 0 ? { text: "", cut } : { text: text.slice(0, limit), cut, facts: factsOf(text) };
}
