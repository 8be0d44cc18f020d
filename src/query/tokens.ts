/** Counts tokens with the o200k tokenizer, loaded on demand. */
import { detachString } from "../model/text/detach-string.ts";

/**
 * The tokenizer merges within one word, and its time grows with the square of the word: a megabyte of "aaaa…" would
 * take hours. No word of any language is this long, so only such runs are cut, and the count of all other text is exact.
 */
const LONGEST_RUN = 512;
const LONG_RUN = new RegExp(
  `[\\p{L}\\p{M}]{${LONGEST_RUN + 1},}|\\s{${LONGEST_RUN + 1},}|[^\\s\\p{L}\\p{N}]{${LONGEST_RUN + 1},}`,
  "gu",
);

/** Up to here a text is counted whole; beyond, samples of it are: a 60 MB message would take minutes to count. */
const COUNTED_WHOLE = 400_000;
const SAMPLES = 8;

/** Words whose tokens are remembered. The tokenizer remembers them, too, but slows down once it has seen many. */
const MOST_KNOWN = 100_000;

export type CountTokens = (text: string) => number;

export async function loadTokenizer(): Promise<CountTokens> {
  const [{ countTokens }, { O200K_TOKEN_SPLIT_REGEX }] = await Promise.all([
    import("gpt-tokenizer/encoding/o200k_base"),
    import("gpt-tokenizer/encodingParams/constants"),
  ]);
  // Text that looks like a control token ("<|endoftext|>") is text like any other here.
  const plain = { disallowedSpecial: new Set<string>() };
  const known = new Map<string, number>();
  const countWord = (word: string): number => {
    const tokens = countTokens(word, plain);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(detachString(word), tokens);
    return tokens;
  };
  const count = (text: string): number => {
    let total = 0;
    for (const [word] of text.matchAll(O200K_TOKEN_SPLIT_REGEX)) total += known.get(word) ?? countWord(word);
    return total;
  };
  const countWhole = (text: string): number => {
    let total = 0;
    let at = 0;
    for (const run of text.matchAll(LONG_RUN)) {
      if (run.index > at) total += count(text.slice(at, run.index));
      for (let from = 0; from < run[0].length; from += LONGEST_RUN)
        total += count(run[0].slice(from, from + LONGEST_RUN));
      at = run.index + run[0].length;
    }
    return at < text.length ? total + count(text.slice(at)) : total;
  };
  return (text) => {
    if (text.length <= COUNTED_WHOLE) return text === "" ? 0 : countWhole(text);
    const size = COUNTED_WHOLE / SAMPLES;
    const step = (text.length - size) / (SAMPLES - 1);
    const starts = Array.from({ length: SAMPLES }, (_, i) => Math.floor(i * step));
    const sampled = starts.reduce((sum, start) => sum + countWhole(text.slice(start, start + size)), 0);
    return Math.round((sampled / COUNTED_WHOLE) * text.length);
  };
}
