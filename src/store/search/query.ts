/** Parses search queries into terms and compiles them for FTS5. Pure. */
import { late, patternFor } from "../../model/text/patterns.ts";
import { isLittleWord } from "../../model/text/word-forms.ts";
import { cjkRuns, pairs, splitHumps, withoutCjk } from "../../model/text/words.ts";

export interface Term {
  /** As it was typed, for messages. */
  readonly typed: string;
  /** The tokens it becomes, in order; several make a phrase. */
  readonly tokens: readonly string[];
  /** `word*`: any word that begins so. */
  readonly prefix: boolean;
  /** In quotation marks: exactly these words. */
  readonly quoted: boolean;
  /** Not as a part of a longer name. */
  readonly isOutside?: boolean;
  /** Other words that are as good, such as its plural. */
  readonly forms?: readonly string[];
}

/** Groups are joined by AND; the terms inside a group by OR. */
export interface SearchQuery {
  readonly groups: readonly (readonly Term[])[];
  readonly not: readonly Term[];
}

/** One way in which a term may stand in a text. */
export type TermVariant =
  | { readonly kind: "phrase"; readonly tokens: readonly string[]; readonly begins: boolean }
  /** The same as parts of a longer name: "retryCount" in "maxRetryCount". The index tells only where it may be so. */
  | { readonly kind: "inside"; readonly tokens: readonly string[]; readonly begins: boolean }
  /** Scripts without spaces: these runs of characters, and these words beside them, in any order. */
  | { readonly kind: "runs"; readonly runs: readonly string[]; readonly words: readonly string[] };

const ASCII_TOKEN = /[A-Za-z0-9]+/g;
const token = late(() => /[\p{L}\p{N}\p{Co}\p{M}]+/gu);
/** A word, an operator, or anything in quotation marks; a minus before the last means "without". */
const PIECE = /-?"([^"]*)"?|[^\s"]+/g;
const OPERATORS = ["AND", "OR", "NOT"];

/** `fix "rate limiter" auth* -legacy (a OR b)`: all words must match unless OR stands between them. */
export function parseQuery(text: string): SearchQuery {
  const groups: Term[][] = [];
  const not: Term[] = [];
  let last: Term[] | undefined;
  let operator = "AND";
  // An accent may be part of its letter or follow it; texts have the former.
  for (const [piece, quoted] of text.normalize("NFC").matchAll(PIECE)) {
    if (OPERATORS.includes(piece)) {
      operator = piece;
      continue;
    }
    // Two dashes make an option of some command, and people look for those.
    const minus = /^-[^-]/.test(piece);
    const term = toTerm(quoted ?? (minus ? piece.slice(1) : piece), quoted !== undefined);
    if (!term) continue;
    if (minus || operator === "NOT") last = not;
    else if (operator === "AND" || !last) {
      last = [];
      groups.push(last);
    }
    // Who leaves out a name does not leave out longer ones.
    last.push(last === not ? { ...term, isOutside: true } : term);
    operator = "AND";
  }
  return { groups, not };
}

function toTerm(typed: string, quoted: boolean): Term | undefined {
  const tokens = typed.match(patternFor(typed, ASCII_TOKEN, token));
  return tokens ? { typed, tokens, prefix: !quoted && typed.endsWith("*"), quoted } : undefined;
}

/** "how did I fix the login" is about "fix" and "login"; words that stand everywhere need not be there. */
export function withoutLittleWords(query: SearchQuery): SearchQuery {
  const groups = query.groups.filter((group) => !group.every(isLittle));
  return groups.length === 0 ? query : { ...query, groups };
}

const isLittle = ({ typed, quoted, prefix }: Term): boolean =>
  !quoted && !prefix && isLittleWord(trim(typed));

/** Beginnings as short as this stand in nearly every row, and finding all of them takes long. */
const SHORT_BEGINNING = 3;

/** The question without its shortest beginnings, which then have to be looked for in the text itself. */
export function withoutShortBeginnings(query: SearchQuery): SearchQuery {
  const groups = query.groups.map((group) =>
    group.map((term) =>
      term.prefix && (term.tokens.at(-1)?.length ?? 0) <= SHORT_BEGINNING
        ? { ...term, tokens: term.tokens.slice(0, -1), prefix: false }
        : term,
    ),
  );
  const isChanged = groups.flat().some((term, at) => term !== query.groups.flat()[at]);
  if (!isChanged) return query;
  return { ...query, groups: groups.filter((group) => group.every((term) => term.tokens.length > 0)) };
}

/** Words with nothing but _ and - between them. */
const ASCII_NAME = /^[\w-]+$/;
const name = late(() => /^[\p{L}\p{N}_-]+$/u);

export function variantsOf(term: Term): TermVariant[] {
  const { tokens, prefix: begins } = term;
  const phrase = (words: readonly string[]): TermVariant => ({ kind: "phrase", tokens: words, begins });
  const variants = [phrase(tokens)];
  if (!term.quoted) {
    // "rateLimiter" also finds "rate limiter" and "rate_limiter"; both stand in the text as words of their own.
    const humps = tokens.flatMap(splitHumps);
    if (humps.length > tokens.length) variants.push(phrase(humps));
    if (humps.length > 1 && patternFor(term.typed, ASCII_NAME, name).test(term.typed)) {
      // "rate_limiter" also finds "rateLimiter", which is one word to the index, and "myRateLimiter".
      if (tokens.length > 1) variants.push(phrase([tokens.join("")]));
      if (!term.isOutside) variants.push({ kind: "inside", tokens: humps, begins });
    }
    for (const form of term.forms ?? []) variants.push({ kind: "phrase", tokens: [form], begins: false });
  }
  const runs = tokens.flatMap(cjkRuns);
  if (runs.length > 0) variants.push({ kind: "runs", runs, words: tokens.flatMap(withoutCjk) });
  return variants;
}

/** The question without names inside longer names, of which only the text tells whether they are there. */
export function withoutInside(query: SearchQuery): SearchQuery {
  const isInside = (term: Term): boolean => variantsOf(term).some(({ kind }) => kind === "inside");
  if (!query.groups.flat().some(isInside)) return query;
  return {
    ...query,
    groups: query.groups.map((group) => group.map((term) => ({ ...term, isOutside: true }))),
  };
}

/** An FTS5 expression in which every group must match; empty when there is nothing to look for. */
export function compileQuery(query: SearchQuery, columns?: string): string {
  if (query.groups.length === 0) return "";
  const all = query.groups.map(compileGroup).join(" AND ");
  const within = columns === undefined ? all : `{${columns}} : (${all})`;
  return query.not.length === 0 ? within : `(${within}) NOT ${compileGroup(query.not)}`;
}

/** The words as one phrase, in the order they were typed; empty when they were not typed as one. */
export function compileTyped({ groups, not }: SearchQuery): string {
  const terms = groups.flat();
  if (terms.length < 2 || terms.length > groups.length || not.length > 0) return "";
  return terms.some(({ prefix }) => prefix) ? "" : quote(terms.flatMap(({ tokens }) => tokens).join(" "));
}

/** How many words and phrases the index is asked for. */
export const countWays = (query: SearchQuery): number =>
  [...query.groups.flat(), ...query.not].reduce((sum, term) => sum + variantsOf(term).length, 0);

/** Any of the terms. */
export const compileGroup = (terms: readonly Term[]): string =>
  either(terms.flatMap((term) => variantsOf(term).map(compileVariant)));

function compileVariant(variant: TermVariant): string {
  if (variant.kind !== "runs") {
    const words = `${quote(variant.tokens.join(" "))}${variant.begins ? " *" : ""}`;
    if (variant.kind === "inside") return `(parts : ${words})`;
    // Parts of different names stand side by side in the index without doing so in the text.
    return variant.tokens.length > 1 ? `({content more} : ${words})` : words;
  }
  const parts = variant.runs.flatMap((run) =>
    // The index holds pairs of characters: a single one is the beginning of some.
    [...run].length === 1 ? [`${quote(run)} *`] : pairs(run).map(quote),
  );
  return `(${[...parts.map((part) => `parts : ${part}`), ...variant.words.map(quote)].join(" AND ")})`;
}

/** Without the signs around it: "(what" and "why?" are words, too. */
const trim = (typed: string): string => typed.replace(patternFor(typed, ASCII_EDGES, edges), "");
const ASCII_EDGES = /^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g;
const edges = late(() => /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu);
const quote = (words: string): string => `"${words.replaceAll('"', '""')}"`;
const either = (parts: readonly string[]): string =>
  parts.length === 1 ? (parts[0] ?? "") : `(${parts.join(" OR ")})`;
