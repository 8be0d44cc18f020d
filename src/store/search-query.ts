/** The language people search in, parsed into terms and compiled for FTS5. Pure: it knows words, not rows. */
import { pairs, splitHumps } from "../model/words.ts";

export interface Term {
  /** As it was typed, for messages and highlighting. */
  readonly typed: string;
  /** The tokens it becomes, in order; several make a phrase. */
  readonly tokens: readonly string[];
  /** `word*`: any word that begins so. */
  readonly prefix: boolean;
  /** In quotation marks: exactly these words. */
  readonly quoted: boolean;
}

/** Groups are joined by AND; the terms inside a group by OR. */
export interface SearchQuery {
  readonly groups: readonly (readonly Term[])[];
  readonly not: readonly Term[];
}

const TOKEN = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;
const IS_CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Shorter beginnings match too much to mean anything. */
export const MIN_PREFIX = 3;

/** `fix "rate limiter" auth* -legacy (a OR b)`: all words must match unless OR stands between them. */
export function parseQuery(text: string): SearchQuery {
  const groups: Term[][] = [];
  const not: Term[] = [];
  let negate = false;
  let join = false;
  for (const [piece, quotedWords] of text.matchAll(/-?"([^"]*)"?|[^\s"]+/g)) {
    if (quotedWords === undefined && (piece === "AND" || piece === "NOT" || piece === "OR")) {
      if (piece === "NOT") negate = true;
      else join = piece === "OR";
      continue;
    }
    const minus = piece.startsWith("-") && piece.length > 1;
    const term = toTerm(quotedWords ?? (minus ? piece.slice(1) : piece), quotedWords !== undefined);
    if (term) {
      const last = groups.at(-1);
      if (negate || minus) not.push(term);
      else if (join && last) last.push(term);
      else groups.push([term]);
    }
    negate = false;
    join = false;
  }
  return { groups, not };
}

function toTerm(typed: string, quoted: boolean): Term | undefined {
  const tokens = typed.match(TOKEN);
  if (!tokens) return undefined;
  return { typed, tokens, prefix: !quoted && typed.endsWith("*"), quoted };
}

export interface Compile {
  /** Let every unquoted word also match longer words that begin with it. */
  readonly beginnings: boolean;
}

/** An FTS5 expression in which every group must match; empty when there is nothing to look for. */
export function compileQuery(query: SearchQuery, options: Compile): string {
  const must = query.groups.map((group) => either(group.map((term) => compileTerm(term, options))));
  if (must.length === 0) return "";
  const not = query.not.map((term) => compileTerm(term, { beginnings: false }));
  const all = must.join(" AND ");
  return not.length === 0 ? all : `(${all}) NOT ${either(not)}`;
}

/** An expression in which any group may match, for when no turn has them all. */
export function compileAny(query: SearchQuery, options: Compile): string {
  return either(query.groups.map((group) => either(group.map((term) => compileTerm(term, options)))));
}

function compileTerm(term: Term, options: Compile): string {
  const ways: string[] = [];
  const phrase = quote(term.tokens.join(" "));
  const last = term.tokens.at(-1) ?? "";
  const widen = term.prefix || (options.beginnings && !term.quoted && last.length >= MIN_PREFIX);
  ways.push(widen ? `${phrase} *` : phrase);
  if (!term.quoted) {
    // "rateLimiter" also finds "rate limiter" and "rate_limiter"; both stand in the text as words of their own.
    const humps = term.tokens.flatMap(splitHumps);
    if (humps.length > term.tokens.length)
      ways.push(widen ? `${quote(humps.join(" "))} *` : quote(humps.join(" ")));
  }
  // Text in these scripts has no spaces: the index holds overlapping pairs of characters instead.
  const runs = term.tokens.filter((token) => IS_CJK.test(token));
  if (runs.length > 0)
    ways.push(
      `(${runs
        .flatMap(pairs)
        .map((pair) => `parts : ${quote(pair)}`)
        .join(" AND ")})`,
    );
  return either(ways);
}

const quote = (words: string): string => `"${words.replaceAll('"', '""')}"`;
const either = (parts: readonly string[]): string =>
  parts.length === 1 ? (parts[0] ?? "") : `(${parts.join(" OR ")})`;
