/** Remembers secrets that were found once, so that they are also found elsewhere without their name. */

import { detachString } from "../text/detach-string.ts";
import type { Span } from "./span.ts";
import { varietyOf } from "./values.ts";

export interface KnownSecrets {
  remember(secret: string, kind: string): void;
  find(text: string): Span[];
  /** All that are looked for. */
  wordings(): readonly string[];
  /** The secret as it was first met, however it is escaped here. */
  wordingOf(text: string): string;
}

/** Shorter or plainer ones would take ordinary words out of the text. */
const SHORTEST = 8;
const LEAST_VARIETY = 2.5;
/** Longer ones have shapes of their own. */
const LONGEST = 4096;
/** As much of a secret is one, at the end of a text that was cut off. */
const SHORTEST_CUT = 10;
const CUT_OFF = /(?:…|\.{3}|\s)*$/;

interface Known {
  readonly secret: string;
  readonly kind: string;
}

/** All that begin alike, by their length: the longest first, because one may be the beginning of another. */
interface Bucket {
  readonly lengths: number[];
  readonly known: Map<string, Known>;
}

/** `isCutOff`: also the beginning of a secret counts where the text ends in it. */
export function createKnownSecrets({ isCutOff = false } = {}): KnownSecrets {
  const known = new Map<string, Known>();
  const buckets = new Map<string, Bucket>();
  const heads = createHeads();

  const add = (wording: string, entry: Known): void => {
    if (known.has(wording)) return;
    known.set(wording, entry);
    const head = wording.slice(0, SHORTEST);
    const bucket = buckets.get(head) ?? { lengths: [], known: new Map<string, Known>() };
    buckets.set(head, bucket);
    heads.add(head);
    bucket.known.set(wording, entry);
    if (bucket.lengths.includes(wording.length)) return;
    bucket.lengths.push(wording.length);
    bucket.lengths.sort((a, b) => b - a);
  };
  const longestAt = (text: string, at: number, { lengths, known: alike }: Bucket): string | undefined => {
    for (const length of lengths) {
      const wording = text.slice(at, at + length);
      if (alike.has(wording)) return wording;
    }
    return undefined;
  };
  const cutAt = (
    text: string,
    at: number,
    end: number,
    { lengths, known: alike }: Bucket,
  ): Known | undefined => {
    if (end - at < SHORTEST_CUT || end - at >= (lengths[0] ?? 0)) return undefined;
    const beginning = text.slice(at, end);
    if (!/\d/.test(beginning) || !isDistinctive(beginning)) return undefined;
    for (const [wording, entry] of alike) if (wording.startsWith(beginning)) return entry;
    return undefined;
  };

  return {
    remember(found, kind) {
      if (known.has(found) || found.length > LONGEST || !isDistinctive(found)) return;
      const secret = detachString(found);
      for (const wording of wordingsOf(secret))
        if (wording.length >= SHORTEST) add(wording, { secret, kind });
    },
    find(text) {
      const spans: Span[] = [];
      if (known.size === 0) return spans;
      const end = isCutOff ? text.length - (CUT_OFF.exec(text.slice(-16))?.[0].length ?? 0) : 0;
      for (let at = heads.next(text, 0); at >= 0; ) {
        const bucket = buckets.get(text.slice(at, at + SHORTEST));
        const wording = bucket && longestAt(text, at, bucket);
        if (wording !== undefined) {
          const { secret, kind } = known.get(wording) as Known;
          spans.push({ start: at, end: at + wording.length, kind, isNamed: true, secret });
        } else {
          const cut = bucket && isCutOff ? cutAt(text, at, end, bucket) : undefined;
          if (cut) spans.push({ start: at, end, ...cut, isNamed: true });
        }
        at = heads.next(text, wording === undefined ? at + 1 : at + wording.length);
      }
      return spans;
    },
    wordings: () => [...known.keys()],
    wordingOf: (text) => known.get(text)?.secret ?? text,
  };
}

/** The first characters of all secrets, looked for at once: however many there are, a text is read a single time. */
function createHeads(): { add(head: string): void; next(text: string, from: number): number } {
  const BITS = 16;
  const bits = new Uint8Array(1 << (BITS - 3));
  const FACTOR = 0x01000193;
  let leading = 1;
  for (let i = 1; i < SHORTEST; i++) leading = Math.imul(leading, FACTOR);
  const slotOf = (sum: number): number => Math.imul(sum, 0x9e3779b1) >>> (32 - BITS);
  const sumAt = (text: string, at: number): number => {
    let sum = 0;
    for (let i = at; i < at + SHORTEST; i++) sum = (Math.imul(sum, FACTOR) + text.charCodeAt(i)) | 0;
    return sum;
  };
  return {
    add(head) {
      const slot = slotOf(sumAt(head, 0));
      bits[slot >> 3] = (bits[slot >> 3] ?? 0) | (1 << (slot & 7));
    },
    next(text, from) {
      const last = text.length - SHORTEST;
      if (from > last) return -1;
      let sum = sumAt(text, from);
      for (let at = from; ; at++) {
        const slot = slotOf(sum);
        if (((bits[slot >> 3] ?? 0) >> (slot & 7)) & 1) return at;
        if (at === last) return -1;
        sum = Math.imul(sum - Math.imul(text.charCodeAt(at), leading), FACTOR);
        sum = (sum + text.charCodeAt(at + SHORTEST)) | 0;
      }
    },
  };
}

const isDistinctive = (secret: string): boolean =>
  secret.length >= SHORTEST &&
  /[^a-z]/.test(secret) &&
  /[^\d.,:-]/.test(secret) &&
  varietyOf(secret) >= LEAST_VARIETY;

/** As it stands inside JSON, inside JSON in JSON, in an address, a shell and a page, and as it was before it stood there. */
function wordingsOf(secret: string): ReadonlySet<string> {
  const escaped = inJson(secret);
  const plain = secret.replace(/\\(["'\\/])/g, "$1");
  return new Set([
    ...[secret, escaped, inJson(escaped), plain, inAddress(secret), inAddress(plain), inShell(secret)],
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  ]);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const inShell = (text: string): string => text.replaceAll(/[^\w@%+=:,./-]/g, "\\$&");

/** Half of a surrogate pair has no place in an address. */
const inAddress = (text: string): string => encodeURIComponent(text.toWellFormed());
