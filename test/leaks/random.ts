/** Random things that are the same for the same seed. */

export const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const UPPER = LOWER.toUpperCase();
export const DIGITS = "0123456789";
export const WORD = `${LOWER}${UPPER}${DIGITS}`;
export const URL_SAFE = `${WORD}_-`;
export const HEX = `${DIGITS}abcdef`;
export const BASE64 = `${WORD}+/`;

export interface Random {
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** As many characters of an alphabet, never so plain that nobody would take them for a secret. */
  chars(alphabet: string, length: number): string;
  base64(bytes: number): string;
  words(count: number): string[];
}

const WORDS =
  "amber anchor basil beacon birch canyon cedar cinder copper coral cricket delta ember falcon fern flint garnet ginger harbor hazel heron indigo island ivory jasper juniper kestrel lagoon lantern lemon lilac maple marble meadow mellow nectar oak ocean olive onyx opal orchid otter pebble pepper pine plum quartz quill raven reed river saffron sage silver slate spruce stone summer tango thistle tiger timber tulip umber velvet violet walnut willow winter yarrow zephyr".split(
    " ",
  );

/** A mulberry: small, and good enough for letters. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const chars = (alphabet: string, length: number): string => {
    const text = Array.from({ length }, () => pick([...alphabet])).join("");
    const isPlain = new Set(text).size < Math.min(6, length / 2) || (length > 7 && !/\d/.test(text));
    return isPlain && /\d/.test(alphabet) ? chars(alphabet, length) : text;
  };
  return {
    below,
    pick,
    chars,
    base64: (bytes) => Buffer.from(Array.from({ length: bytes }, () => below(256))).toString("base64"),
    words: (count) => Array.from({ length: count }, () => pick(WORDS)),
  };
}
