/** Finds words of the index that a misspelt one may have meant: same first letter, two slips at most. */
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
    const distance = slipsBetween(wanted, term, slips);
    if (distance > 0 && distance <= slips) found.push({ term, distance, docs: Number(row.doc) });
  }
  return found
    .sort((a, b) => a.distance - b.distance || b.docs - a.docs)
    .slice(0, most)
    .map((candidate) => candidate.term);
}

/** Letters to add, drop, change or swap to get from one word to the other; `limit + 1` stands for "too many". */
export function slipsBetween(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? 0, limit + 1);
}
