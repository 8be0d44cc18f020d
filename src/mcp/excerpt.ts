/** The sentences of a text that have most of the words that were asked for, in their order. Pure. */
import { clip } from "../model/summary/summary.ts";

const LITTLE = new Set(
  "a an and are as at be but by did do does for from had has have how i if in is it its of on or our that the then there they this to us was we were what when where which who why will with would you your not".split(
    " ",
  ),
);

/** What to look for: lower-case words without the signs of a query. */
export function wordsOf(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 1 && !LITTLE.has(word));
}

/** All of it where it is short enough; else its best sentences, or its beginning where no word is in it. */
export function excerpt(text: string, words: readonly string[], limit: number): string {
  const whole = text.replace(/\n{3,}/g, "\n\n").trim();
  if (whole.length <= limit) return whole;
  const pieces = piecesOf(whole, limit);
  const scores = pieces.map((piece) => scoreOf(piece, words));
  if (scores.every((score) => score === 0)) return clip(whole, limit);
  // Neighbours say what a match is about, what follows more than what went before.
  const weighed = scores.map(
    (score, at) => score + Math.max(0.3 * (scores[at - 1] ?? 0), 0.2 * (scores[at + 1] ?? 0)),
  );
  const order = pieces.map((_, at) => at).sort((a, b) => (weighed[b] ?? 0) - (weighed[a] ?? 0) || a - b);
  const chosen = new Set<number>();
  let left = limit;
  for (const at of order) {
    const length = (pieces[at]?.length ?? 0) + 3;
    if (length > left || (weighed[at] === 0 && chosen.size > 0)) continue;
    chosen.add(at);
    left -= length;
  }
  if (chosen.size === 0) return clip(pieces[order[0] ?? 0] ?? "", limit);
  let out = "";
  let before = -1;
  for (const at of [...chosen].sort((a, b) => a - b)) {
    out += at === before + 1 ? (out === "" ? "" : " ") : out === "" ? "… " : " … ";
    out += pieces[at];
    before = at;
  }
  return before === pieces.length - 1 ? out : `${out} …`;
}

/** Sentences and lines; what is longer than all that there is room for is taken apart. */
function piecesOf(text: string, limit: number): string[] {
  const longest = Math.max(80, Math.floor(limit / 2));
  return text
    .split(/(?<=[.!?。！？])\s+|\n+/)
    .flatMap((piece) => {
      const line = piece.replace(/\s+/g, " ").trim();
      if (line.length <= longest) return line === "" ? [] : [line];
      return line.match(new RegExp(`.{1,${longest}}(?=\\s|$)|.{1,${longest}}`, "gsu")) ?? [];
    })
    .map((piece) => piece.trim());
}

function scoreOf(piece: string, words: readonly string[]): number {
  const lower = piece.toLowerCase();
  return words.reduce((sum, word) => sum + (lower.includes(stem(word)) ? 1 : 0), 0);
}

/** Enough of a word to know its other forms by. */
const stem = (word: string): string => (word.length > 5 ? word.slice(0, Math.max(5, word.length - 3)) : word);
