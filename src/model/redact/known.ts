/** Remembers secrets that were found by their name, so that they are also found elsewhere without it. */

import { detachString } from "../text/detach-string.ts";
import { toPatternSource } from "../text/escape-regexp.ts";
import type { Span } from "./span.ts";
import { varietyOf } from "./values.ts";

export interface KnownSecrets {
  remember(secret: string, kind: string): void;
  find(text: string): Span[];
  /** The secret as it was first met, however it is escaped here. */
  wordingOf(text: string): string;
}

/** Shorter or plainer ones would take ordinary words out of the text. */
const SHORTEST = 8;
const LEAST_VARIETY = 2.5;

interface Known {
  readonly secret: string;
  readonly kind: string;
}

export function createKnownSecrets(): KnownSecrets {
  const known = new Map<string, Known>();
  let pattern: RegExp | undefined;
  return {
    remember(found, kind) {
      if (known.has(found) || !isDistinctive(found)) return;
      const secret = detachString(found);
      for (const wording of [secret, escaped(secret), unescaped(secret)])
        if (!known.has(wording)) known.set(wording, { secret, kind });
      pattern = undefined;
    },
    find(text) {
      if (known.size === 0) return [];
      pattern ??= toPattern([...known.keys()]);
      return Array.from(text.matchAll(pattern), ({ index, 0: wording }) => ({
        start: index,
        end: index + wording.length,
        kind: known.get(wording)?.kind ?? "secret",
        isNamed: true,
      }));
    },
    wordingOf: (text) => known.get(text)?.secret ?? text,
  };
}

/** The longest first: one may be the beginning of another. */
const toPattern = (wordings: readonly string[]): RegExp =>
  new RegExp(
    wordings
      .toSorted((a, b) => b.length - a.length)
      .map(toPatternSource)
      .join("|"),
    "g",
  );

const isDistinctive = (secret: string): boolean =>
  secret.length >= SHORTEST &&
  /[^a-z]/.test(secret) &&
  /[^\d.,:-]/.test(secret) &&
  varietyOf(secret) >= LEAST_VARIETY;

/** As it stands inside JSON, and as it was before it stood there. */
const escaped = (secret: string): string => JSON.stringify(secret).slice(1, -1);
const unescaped = (secret: string): string => secret.replace(/\\(["'\\/])/g, "$1");
