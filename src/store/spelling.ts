/** Finds words of the index that a misspelt one may have meant: same first letter, two slips at most. */
import { editDistance } from "../model/nearest.ts";
import type { Database } from "../platform/sqlite.ts";

const MAX_SLIPS = 2;

export function findSpellings(db: Database, word: string, most = 3): string[] {
  const wanted = word.toLowerCase();
  if (wanted.length < 4) return [];
  const slips = wanted.length < 6 ? 1 : MAX_SLIPS;
  const first = [...wanted][0] ?? "";
  // A range over one first letter: reading the whole vocabulary would take longer than every search together.
  const words = db.prepare("SELECT term, doc FROM search_words WHERE term >= ? AND term < ?");
  const found: { term: string; distance: number; docs: number }[] = [];
  for (const row of words.iterate(first, `${first}\u{10ffff}`)) {
    const term = String(row.term);
    if (Math.abs(term.length - wanted.length) > slips) continue;
    const distance = editDistance(wanted, term, slips + 1);
    if (distance > 0 && distance <= slips) found.push({ term, distance, docs: Number(row.doc) });
  }
  return found
    .sort((a, b) => a.distance - b.distance || b.docs - a.docs)
    .slice(0, most)
    .map((candidate) => candidate.term);
}
