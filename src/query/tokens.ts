/** Counts tokens as the o200k tokenizer does, over its public ranks, which are loaded on demand. */
import { createCounter } from "../model/tokens/counter.ts";

/** Up to here a text is counted whole; beyond, samples of it are: an estimate, for texts that no model takes at once. */
const COUNTED_WHOLE = 4_000_000;
const SAMPLED = 400_000;
const SAMPLES = 8;

export type CountTokens = (text: string) => number;

export async function loadTokenizer(): Promise<CountTokens> {
  const count = await loaded();
  return (text) => {
    if (text.length <= COUNTED_WHOLE) return text === "" ? 0 : count(text);
    const size = SAMPLED / SAMPLES;
    const step = (text.length - size) / (SAMPLES - 1);
    const starts = Array.from({ length: SAMPLES }, (_, i) => Math.floor(i * step));
    const sampled = starts.reduce((sum, start) => sum + count(text.slice(start, start + size)), 0);
    return Math.round((sampled / SAMPLED) * text.length);
  };
}

/** The table of ranks takes as long to make as a megabyte to count, so a process makes it once. */
let known: Promise<CountTokens> | undefined;
const loaded = (): Promise<CountTokens> => {
  known ??= loadCounter();
  return known;
};

async function loadCounter(): Promise<CountTokens> {
  const [{ default: ranks }, { O200K_TOKEN_SPLIT_REGEX }] = await Promise.all([
    import("gpt-tokenizer/bpeRanks/o200k_base"),
    import("gpt-tokenizer/encodingParams/constants"),
  ]);
  return createCounter(ranks, O200K_TOKEN_SPLIT_REGEX);
}
