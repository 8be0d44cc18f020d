/** The tokens of turns: estimated from their lengths, until the context lens has counted them. */
import { compact } from "../../../../src/present/text/measure.ts";
import { useStore } from "../../lib/store.ts";
import { useReading } from "./reading.ts";
import type { OutlineTurn } from "./types.ts";

/** By the numbers of turns; nothing before the lens is there. */
export type CountedTokens = ReadonlyMap<number, number> | undefined;

export interface TurnTokens {
  readonly tokens: number;
  readonly isCounted: boolean;
}

/** The lens counts nothing of a turn that a summary has replaced: then its length is still worth knowing. */
export function tokensOf({ index, estimatedTokens }: OutlineTurn, counted: CountedTokens): TurnTokens {
  const tokens = counted?.get(index) ?? 0;
  return tokens > 0 ? { tokens, isCounted: true } : { tokens: estimatedTokens, isCounted: false };
}

/** "6.2k tokens", "≈ 6.2k tokens" */
export const tokensText = ({ tokens, isCounted }: TurnTokens): string =>
  `${isCounted ? "" : "≈ "}${compact(tokens)} ${tokens === 1 ? "token" : "tokens"}`;

export const useCountedTokens = (): CountedTokens => useStore(useReading().state.tokens);
