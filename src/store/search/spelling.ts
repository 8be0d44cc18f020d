/** Finds words of the index that are close to a misspelt one: one typo anywhere, or two after the first letters. */
import { editDistance } from "../../model/text/nearest.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { fold } from "./text-match.ts";

/** Shorter words are one slip away from too many others. */
const SHORTEST = 4;
const LONG_ENOUGH_FOR_TWO = 6;
/** Longer ones are hashes and pasted blobs, which nobody mistypes. */
const LONGEST = 40;
/** Rarely are the first letters of a word wrong as well as two others. */
const SURE_LETTERS = 3;

/** The best guess first: among equally close words the one that stands in most rows. Two slips only if `far`. */
export function findSpellings(db: Database, word: string, far: boolean): string[] {
  const wanted = fold(word);
  if (wanted.length < SHORTEST || wanted.length > LONGEST) return [];
  const near = findNear(db, wanted);
  return near.length > 0 || !far || wanted.length < LONG_ENOUGH_FOR_TWO ? near : findFar(db, wanted);
}

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
function oneSlipAway(word: string): string[] {
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
