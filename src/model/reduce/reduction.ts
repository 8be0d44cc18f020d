/** The reduction that a clone asks for, and the ledger of what it left out. */

export type TurnShare = { readonly percent: number } | { readonly count: number };

export interface Reduction {
  /** Calls and their results: all go, the oldest go, or what is longer than so many characters is cut. */
  readonly tools?: "drop" | { readonly oldest: number } | { readonly truncate: number };
  readonly dropThinking?: boolean;
  /** Turns that go, from the first one on. */
  readonly dropOldest?: TurnShare;
  /** The most tokens that the model is to receive. */
  readonly budget?: number;
}

export interface LedgerEntry {
  readonly kept: number;
  /** Shorter than it was, and saying so. */
  readonly cut: number;
  readonly dropped: number;
}

export interface Ledger {
  readonly turns: LedgerEntry;
  readonly toolCalls: LedgerEntry;
  readonly texts: LedgerEntry;
  readonly thoughts: LedgerEntry;
}

/** How many of so many a share is; half a turn stays. */
export const shareOf = (share: TurnShare, all: number): number =>
  "count" in share ? share.count : Math.floor((all * share.percent) / 100);
