/** Widens a query whose words are rare: other forms, longer words, other spellings. */

import { editDistance } from "../../model/text/nearest.ts";
import { formsOf } from "../../model/text/word-forms.ts";
import { prepared } from "../../platform/sqlite/prepared.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { compileGroup, type SearchQuery, type Term } from "./query.ts";
import { fold } from "./text-match.ts";

/** A word that stands in so many rows is one that people use, and not the beginning of another. */
export const COMMON = 10;
/** Shorter beginnings match too much to mean anything; behind other words of a name they may be shorter. */
export const mayBegin = (term: Term): boolean => lastLength(term) >= shortestBeginning(term);
const shortestBeginning = (term: Term): number => (term.tokens.length > 1 ? 2 : 3);
const lastLength = (term: Term): number => term.tokens.at(-1)?.length ?? 0;

export interface Widened {
  /** The same question with the forms of its words and, for words that nobody uses, what begins with them. */
  readonly wide: SearchQuery;
  /** Whether it asks for anything more than before. */
  readonly isWider: boolean;
  /** Terms that stand nowhere even so. */
  readonly unknown: ReadonlySet<Term>;
}

export function widen(db: Database, query: SearchQuery): Widened {
  const rows = prepared(db, "SELECT rowid FROM search_index WHERE search_index MATCH ? LIMIT ?");
  const count = (term: Term, most: number): number => rows.all(compileGroup([term]), most).length;
  const unknown = new Set<Term>();
  let isWider = false;
  const widenTerm = (term: Term): Term => {
    if (term.quoted || term.prefix) return term;
    const before = count(term, COMMON);
    const forms = term.tokens.length > 1 ? [] : findForms(db, term.tokens[0] ?? "");
    const begins = before < COMMON && mayBegin(term);
    const wider = { ...term, forms, prefix: begins };
    const isChanged = forms.length > 0 || begins;
    isWider ||= isChanged;
    if (before === 0 && (!isChanged || count(wider, 1) === 0)) unknown.add(wider);
    return wider;
  };
  return { wide: { ...query, groups: query.groups.map((group) => group.map(widenTerm)) }, isWider, unknown };
}

/** Few words of the index begin with so many letters: to read them is faster than to ask for dozens of forms. */
const LONG_STEM = 6;

/** Those forms of a word that somebody has used. */
function findForms(db: Database, word: string): string[] {
  const forms = formsOf(word);
  // The stem itself is one of them, unless it is the word; all others begin with it.
  const stem = forms.reduce((short, form) => (form.length < short.length ? form : short), word.toLowerCase());
  const terms = (sql: string, ...values: string[]): string[] =>
    prepared(db, sql)
      .all(...values)
      .map((row) => String(row.term));
  if (forms.length === 0 || stem.length < LONG_STEM)
    return terms(
      "SELECT term FROM search_words WHERE term IN (SELECT value FROM json_each(?))",
      JSON.stringify(forms),
    );
  const begin = terms(
    "SELECT term FROM search_words WHERE term >= ? AND term < ?",
    stem,
    `${stem}\u{10ffff}`,
  );
  const wanted = new Set(forms);
  return begin.filter((term) => wanted.has(term));
}

export interface Respelling {
  readonly typed: string;
  readonly used: string;
}

/** Who mistypes more words than this means something else; each takes hundreds of lookups, two slips thousands. */
export const MOST_RESPELT = { near: 5, far: 2 };

/** Puts known words in the place of unknown ones, as far as there are any that come close. */
export function respell(
  db: Database,
  query: SearchQuery,
  unknown: ReadonlySet<Term>,
): { corrected: SearchQuery; respelt: Respelling[] } {
  const respelt: Respelling[] = [];
  let tried = 0;
  const groups = query.groups.map((group) =>
    group.map((term) => {
      const [only] = term.tokens;
      if (!unknown.has(term) || only === undefined || term.tokens.length > 1) return term;
      if (++tried > MOST_RESPELT.near) return term;
      const [used] = findSpellings(db, only, tried <= MOST_RESPELT.far);
      if (used === undefined) return term;
      respelt.push({ typed: term.typed, used });
      return { ...term, tokens: [used], prefix: false };
    }),
  );
  return { corrected: { ...query, groups }, respelt };
}

/** Paths and names that stand nowhere as a whole, in pieces: "auth/login.ts" as "auth", "login" and "ts". */
export function takeApart(query: SearchQuery, unknown: ReadonlySet<Term>): SearchQuery {
  const groups = query.groups.flatMap((group) => {
    const [term] = group;
    if (group.length > 1 || !term || !unknown.has(term)) return [group];
    return term.tokens.map((token) => [{ ...term, typed: token, tokens: [token], prefix: false }]);
  });
  return { ...query, groups };
}

/** Shorter words are one slip away from too many others. */
const SHORTEST = 4;
export const LONG_ENOUGH_FOR_TWO = 6;
/** Longer ones are hashes and pasted blobs, which nobody mistypes. */
const LONGEST = 40;
/** Rarely are the first letters of a word wrong as well as two others. */
export const SURE_LETTERS = 3;

/** The best guess first: among equally close words the one that stands in most rows. Two slips only if `far`. */
function findSpellings(db: Database, word: string, far: boolean): string[] {
  const wanted = fold(word);
  if (!mayBeMistyped(wanted)) return [];
  const near = findNear(db, wanted);
  return near.length > 0 || !far || wanted.length < LONG_ENOUGH_FOR_TWO ? near : findFar(db, wanted);
}

export const mayBeMistyped = ({ length }: string): boolean => length >= SHORTEST && length <= LONGEST;

/** Asks for every word that is one slip away: some hundred lookups cost less than reading all words of one letter. */
function findNear(db: Database, wanted: string): string[] {
  return db
    .prepare(
      "SELECT term FROM search_words WHERE term IN (SELECT value FROM json_each(?)) ORDER BY doc DESC, term",
    )
    .all(JSON.stringify(oneSlipAway(wanted)))
    .map((row) => String(row.term));
}

function findFar(db: Database, wanted: string): string[] {
  const start = wanted.slice(0, SURE_LETTERS);
  const words = db.prepare("SELECT term, doc FROM search_words WHERE term >= ? AND term < ?");
  const found: { term: string; docs: number }[] = [];
  for (const row of words.iterate(start, `${start}\u{10ffff}`)) {
    const term = String(row.term);
    if (editDistance(wanted, term, 3) === 2) found.push({ term, docs: Number(row.doc) });
  }
  return found.sort((a, b) => b.docs - a.docs).map(({ term }) => term);
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** A letter missing, too many, wrong, or swapped with its neighbour. */
export function oneSlipAway(word: string): string[] {
  const slips = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    const rest = after.slice(1);
    slips.add(before + rest);
    if (after.length > 1) slips.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of LETTERS) slips.add(before + letter + after).add(before + letter + rest);
  }
  slips.delete(word);
  return [...slips];
}
