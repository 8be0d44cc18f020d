/** The tokens of an encoding as one table over bytes: a lookup hashes a byte range and makes no string. */

/** A token as the package of ranks gives it: text, or bytes that are no valid text of their own. */
export type RankedToken = string | readonly number[];

export const NO_RANK = -1;
/** What the hash of no bytes is; `hashByte` goes on from there. */
export const HASH_START = 0x811c9dc5 | 0;
export const hashByte = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);
/** The low bits of the hash alone are too much alike for short words. */
export const spread = (hash: number): number => hash ^ (hash >>> 15);

export interface RankTable {
  /** The rank of the bytes from `start` to `end`, whose hash the caller already has. */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number;
  rankOf(bytes: Uint8Array, start: number, end: number): number;
}

export function createRankTable(tokens: readonly RankedToken[]): RankTable {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, tokens.length * 2)))).fill(NO_RANK);
  const mask = slots.length - 1;
  /** Merging begins with the pairs of all neighbouring bytes, so these are found without a hash. */
  const pairs = new Int32Array(1 << 16).fill(NO_RANK);
  const ends = new Uint32Array(tokens.length + 1);
  const encoder = new TextEncoder();
  let pool = new Uint8Array(tokens.length * 8 + 1024);
  let longest = 0;
  for (let rank = 0, at = 0; rank < tokens.length; rank++) {
    const token = tokens[rank] ?? "";
    if (at + token.length * 3 > pool.length) pool = grown(pool);
    const start = at;
    let hash = HASH_START;
    if (typeof token === "string") {
      // By hand as long as it is ASCII, as two tokens of three are: a call of the encoder costs more than the copy.
      let i = 0;
      for (let code = 0; i < token.length; i++) {
        code = token.charCodeAt(i);
        if (code > 127) break;
        pool[at++] = code;
        hash = hashByte(hash, code);
      }
      if (i < token.length) {
        at = start + encoder.encodeInto(token, pool.subarray(start)).written;
        hash = hashOf(pool, start, at);
      }
    } else {
      pool.set(token, at);
      at += token.length;
      hash = hashOf(pool, start, at);
    }
    ends[rank + 1] = at;
    longest = Math.max(longest, at - start);
    if (at === start) continue; // a rank that is not in use
    let slot = spread(hash) & mask;
    while (slots[slot] !== NO_RANK) slot = (slot + 1) & mask;
    slots[slot] = rank;
    if (at - start === 2) pairs[pairOf(pool, start)] = rank;
  }
  const find: RankTable["find"] = (bytes, start, end, hash) => {
    const length = end - start;
    for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
      const rank = slots[slot] as number;
      if (rank === NO_RANK) return NO_RANK;
      const from = ends[rank] as number;
      if ((ends[rank + 1] as number) - from !== length) continue;
      let i = 0;
      while (i < length && pool[from + i] === bytes[start + i]) i++;
      if (i === length) return rank;
    }
  };
  return {
    find,
    rankOf(bytes, start, end) {
      if (end - start === 2) return pairs[pairOf(bytes, start)] as number;
      return end - start > longest ? NO_RANK : find(bytes, start, end, hashOf(bytes, start, end));
    },
  };
}

const pairOf = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_START;
  for (let i = start; i < end; i++) hash = hashByte(hash, bytes[i] as number);
  return hash;
}

function grown(pool: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(pool.length * 2);
  larger.set(pool);
  return larger;
}
