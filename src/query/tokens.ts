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

/**
 * For all passages of one session: when as much was counted whole as of a single one, the rest is estimated from samples of
 * each. The same passage may then be estimated or counted; callers remember which.
 */
export function estimateBeyond(count: CountTokens, whole = COUNTED_WHOLE): CountTokens {
  let left = whole;
  return (text) => {
    left -= text.length;
    return left >= 0 || text.length < WORTH_SAMPLING ? count(text) : estimate(text, count);
  };
}

const WORTH_SAMPLING = 2000;
/** Of each so many characters one is looked at, in pieces of a few hundred words. */
const SPARSE = 12;
const PIECE = 1000;

/** Pieces begin and end between words: half a word is more tokens than half of a word's. */
function estimate(text: string, count: CountTokens): number {
  const pieces = Math.ceil(text.length / SPARSE / PIECE);
  const size = Math.ceil(text.length / SPARSE / pieces);
  const step = (text.length - size) / pieces;
  let [seen, tokens] = [0, 0];
  for (let i = 0; i < pieces; i++) {
    const start = wordFrom(text, Math.floor((i + 0.5) * step));
    const end = wordFrom(text, start + size);
    tokens += count(text.slice(start, end));
    seen += end - start;
  }
  return Math.round((tokens / seen) * text.length);
}

const LONGEST_WORD = 40;

function wordFrom(text: string, place: number): number {
  const space = text.indexOf(" ", place);
  return space >= 0 && space - place < LONGEST_WORD ? space : Math.min(place, text.length);
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
