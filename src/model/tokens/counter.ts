/** Counts the tokens of a text over the ranks of an encoding: the same count as its tokenizer gives, without the tokens. */
import { createMerge } from "./merge.ts";
import { createRankTable, HASH_START, hashByte, NO_RANK, type RankedToken, spread } from "./rank-table.ts";
import { asciiWordEnd, END_MARK } from "./split.ts";

/**
 * Words of several tokens whose count is remembered, each in a place that its hash decides: the next word of that place
 * takes it over, so nothing grows and nothing is swept. Longer words are rare and merged again.
 */
const PLACES = 1 << 18;
const LONGEST_KNOWN = 24;

/** A buffer of this size is kept for the next text. */
const KEPT = 1 << 20;

export function createCounter(tokens: readonly RankedToken[], pattern: RegExp): (text: string) => number {
  const table = createRankTable(tokens);
  const merge = createMerge(table);
  const word = new RegExp(pattern.source, "uy");
  const encoder = new TextEncoder();
  const kept = new Uint8Array(KEPT);
  const known = new Uint8Array(PLACES * LONGEST_KNOWN);
  const lengths = new Uint8Array(PLACES);
  const counts = new Uint8Array(PLACES);

  const countWord = (bytes: Uint8Array, start: number, end: number): number => {
    const length = end - start;
    let hash = HASH_START;
    for (let i = start; i < end; i++) hash = hashByte(hash, bytes[i] as number);
    if (table.find(bytes, start, end, hash) !== NO_RANK) return 1;
    if (length > LONGEST_KNOWN) return merge(bytes, start, end);
    const place = spread(hash) & (PLACES - 1);
    const from = place * LONGEST_KNOWN;
    if (lengths[place] === length) {
      let i = 0;
      while (i < length && known[from + i] === bytes[start + i]) i++;
      if (i === length) return counts[place] as number;
    }
    const count = merge(bytes, start, end);
    for (let i = 0; i < length; i++) known[from + i] = bytes[start + i] as number;
    lengths[place] = length;
    counts[place] = count;
    return count;
  };

  return (text) => {
    const buffer = text.length * 3 < KEPT ? kept : new Uint8Array(utf8Length(text, 0, text.length) + 1);
    const end = encoder.encodeInto(text, buffer).written;
    buffer[end] = END_MARK;
    let total = 0;
    /** Both go over the same text; only within words of the pattern do they differ. */
    let at = 0;
    let char = 0;
    while (at < end) {
      let wordEnd = asciiWordEnd(buffer, at);
      if (wordEnd >= 0) char += wordEnd - at;
      else {
        word.lastIndex = char;
        const charEnd = word.test(text) ? word.lastIndex : char + 1;
        wordEnd = at + utf8Length(text, char, charEnd);
        char = charEnd;
      }
      total += countWord(buffer, at, wordEnd);
      at = wordEnd;
    }
    return total;
  };
}

/** As `TextEncoder` writes it: half a surrogate pair becomes U+FFFD, which takes as many bytes as any other of its kind. */
function utf8Length(text: string, start: number, end: number): number {
  let length = 0;
  for (let i = start; i < end; i++) {
    const code = text.codePointAt(i) as number;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (code > 0xffff) i++;
  }
  return length;
}
