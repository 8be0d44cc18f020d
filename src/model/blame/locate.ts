/** Finds where lines stood in a file: where they are word for word, or where most of them are. */
import { longestCommon, type Pair } from "../session/lcs.ts";
import { isTelling, type Line } from "./lines.ts";

/** The nearest place to the expected one where all of these lines stand; the first one where nothing is expected. */
export function findExact(lines: readonly Line[], keys: readonly string[], expected = 0): number | undefined {
  const last = lines.length - keys.length;
  if (keys.length === 0 || last < 0) return undefined;
  const start = Math.min(Math.max(expected, 0), last);
  for (let off = 0; off <= Math.max(start, last - start); off++) {
    if (start - off >= 0 && isAt(lines, keys, start - off)) return start - off;
    if (off > 0 && start + off <= last && isAt(lines, keys, start + off)) return start + off;
  }
  return undefined;
}

function isAt(lines: readonly Line[], keys: readonly string[], at: number): boolean {
  for (let i = 0; i < keys.length; i++) if (lines[at + i]?.key !== keys[i]) return false;
  return true;
}

/** A stretch of the file that says mostly what the lines say, with the pairs of lines that are the same. */
export interface Likeness {
  readonly from: number;
  readonly to: number;
  /** Numbers in the given lines, and in the file. */
  readonly pairs: readonly Pair[];
}

/** So much of what the lines say must be there. */
const LEAST_SHARE = 0.4;
/** So many lines may have come between, or be missing. */
const SLACK = 8;

/** Nothing where too little of it is left. */
export function findLike(
  lines: readonly Line[],
  keys: readonly string[],
  expected?: number,
): Likeness | undefined {
  const telling = keys.filter(isTelling);
  if (telling.length === 0) return undefined;
  const offset = likeliestOffset(lines, keys, expected);
  if (offset === undefined) return undefined;
  const from = Math.max(0, offset - SLACK);
  const window = lines.slice(from, offset + keys.length + SLACK).map(({ key }) => key);
  const common = longestCommon(keys, window).map(([i, j]): Pair => [i, from + j]);
  const pairs = closeTogether(keys, common);
  const found = pairs.filter(([i]) => isTelling(keys[i] ?? "")).length;
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (!first || !last || found < Math.max(1, telling.length * LEAST_SHARE)) return undefined;
  return { from: first[1], to: last[1] + 1, pairs };
}

/** Without braces and blank lines at the edges that belong to something else. */
function closeTogether(keys: readonly string[], pairs: readonly Pair[]): Pair[] {
  const isSure = ([i]: Pair): boolean => isTelling(keys[i] ?? "");
  let [from, to] = [pairs.findIndex(isSure), pairs.findLastIndex(isSure)];
  if (from < 0) return [];
  const isNext = (a: Pair | undefined, b: Pair | undefined): boolean =>
    a !== undefined && b !== undefined && a[0] + 1 === b[0] && a[1] + 1 === b[1];
  while (isNext(pairs[from - 1], pairs[from])) from--;
  while (isNext(pairs[to], pairs[to + 1])) to++;
  return pairs.slice(from, to + 1);
}

/** Every telling line says where the lines would begin; what most of them say, and of those the nearest. */
function likeliestOffset(
  lines: readonly Line[],
  keys: readonly string[],
  expected: number | undefined,
): number | undefined {
  const wanted = new Map<string, number[]>();
  for (const [i, key] of keys.entries()) {
    if (!isTelling(key)) continue;
    const places = wanted.get(key);
    if (places) places.push(i);
    else wanted.set(key, [i]);
  }
  const votes = new Map<number, number>();
  for (const [at, { key }] of lines.entries())
    for (const i of wanted.get(key) ?? []) votes.set(at - i, (votes.get(at - i) ?? 0) + 1);
  let best: number | undefined;
  const isBetter = (offset: number, count: number): boolean => {
    const most = best === undefined ? 0 : (votes.get(best) ?? 0);
    if (best === undefined || count !== most) return count > most;
    return expected !== undefined && Math.abs(offset - expected) < Math.abs(best - expected);
  };
  for (const [offset, count] of votes) if (isBetter(offset, count)) best = offset;
  return best;
}

/** A text that may begin and end within lines: the lines it touches, and the columns in the first and the last one. */
export interface TextPlace {
  readonly line: number;
  readonly lines: number;
  readonly column: number;
  /** Behind its last character, in the last line. */
  readonly endColumn: number;
}

/** Every place of a text, in order and without overlaps; by what lines say, or else by what counts of them. */
export function findText(
  lines: readonly Line[],
  pieces: readonly string[],
  of: (line: Line) => string,
): TextPlace[] {
  const places: TextPlace[] = [];
  const [first = ""] = pieces;
  const last = pieces.at(-1) ?? "";
  for (let at = 0; at + pieces.length <= lines.length; at++) {
    const text = of(lines[at] as Line);
    if (pieces.length === 1) {
      for (let column = text.indexOf(first); column >= 0; ) {
        places.push({ line: at, lines: 1, column, endColumn: column + first.length });
        column = first === "" ? -1 : text.indexOf(first, column + first.length);
      }
      continue;
    }
    if (!text.endsWith(first)) continue;
    const end = lines[at + pieces.length - 1];
    if (!end || !of(end).startsWith(last)) continue;
    const isSame = pieces.every(
      (piece, i) => i === 0 || i === pieces.length - 1 || of(lines[at + i] as Line) === piece,
    );
    if (!isSame) continue;
    places.push({
      line: at,
      lines: pieces.length,
      column: text.length - first.length,
      endColumn: last.length,
    });
    at += pieces.length - 2; // the next one may begin in the last line of this one
  }
  return places;
}
