/** Hunks of a patch: what they take away and bring, where they belong in a file, and the hunk that undoes one. */
import type { Hunk } from "../session/file-edit.ts";
import type { Document } from "./document.ts";
import { FOUND, keyOf, type Line, toLine } from "./lines.ts";
import { findExact, findLike } from "./locate.ts";
import { matchLines, slideDown } from "./match-lines.ts";

/** Carries one out; `shift` is by how many lines those before it made the file longer. Gives back by how many it did. */
export function applyHunk(document: Document, hunk: Hunk, by: number, shift = 0): number {
  const old = oldKeys(hunk);
  const written = hunk.lines.filter(isNew).map((line) => toLine(line.slice(1), by));
  const expected = hunk.start === undefined ? undefined : Math.max(0, hunk.start - 1 + shift);
  const lines = document.lines();
  if (old.length === 0) {
    // Without lines around it, only its number says where it goes.
    if (isBlank(lines)) document.put(0, lines.length, written);
    else if (expected === undefined) document.unplaced(written);
    else document.put(Math.min(expected, lines.length), 0, written);
    return written.length;
  }
  const at = findExact(lines, old, expected);
  if (at !== undefined && hasReturning(hunk)) document.rewrite(at, old.length, newTexts(hunk), by);
  else if (at !== undefined) document.put(at, old.length, exactly(lines, at, hunk, by));
  else if (!applyAlike(document, hunk, old, by, expected)) {
    document.unplaced(written);
    return 0;
  }
  return hunk.lines.filter((line) => !isOld(line)).length - hunk.lines.filter(isOld).length;
}

/** The file is not quite what the hunk was made for: what it says of the lines around is believed. */
function applyAlike(
  document: Document,
  hunk: Hunk,
  old: readonly string[],
  by: number,
  expected: number | undefined,
): boolean {
  const lines = document.lines();
  const like = findLike(lines, old, expected);
  if (!like) return false;
  const places = new Map(like.pairs);
  const result: Line[] = [];
  let i = 0;
  for (const line of hunk.lines) {
    if (isNew(line)) result.push(toLine(line.slice(1), by));
    else {
      const known = lines[places.get(i++) ?? -1];
      if (!isOld(line)) result.push(known ?? toLine(line.slice(1), FOUND));
    }
  }
  document.put(like.from, like.to - like.from, result);
  return true;
}

function exactly(lines: readonly Line[], at: number, hunk: Hunk, by: number): Line[] {
  const texts: string[] = [];
  const places: number[] = [];
  let place = at;
  for (const line of hunk.lines) {
    if (isOld(line)) place++;
    else {
      texts.push(line.slice(1));
      places.push(isNew(line) ? -1 : place++);
    }
  }
  const stays = Int32Array.from(places);
  slideDown(texts.map(keyOf), stays);
  return texts.map((text, i) => lines[stays[i] ?? -1] ?? toLine(text, by));
}

/** Lines that a hunk takes away and brings again have stayed. */
function hasReturning({ lines }: Hunk): boolean {
  const gone = new Set(lines.filter(isOld).map((line) => line.slice(1)));
  return lines.some((line) => isNew(line) && gone.has(line.slice(1)));
}

const newTexts = ({ lines }: Hunk): string[] =>
  lines.filter((line) => !isOld(line)).map((line) => line.slice(1));

const isNew = (line: string): boolean => line.startsWith("+");
const isOld = (line: string): boolean => line.startsWith("-");

/** What the hunk expects to find. */
export const oldKeys = ({ lines }: Hunk): string[] =>
  lines.filter((line) => !isNew(line)).map((line) => keyOf(line.slice(1)));

export const isBlank = (lines: readonly Line[]): boolean => lines.every(({ key }) => key === "");

/** One text for another, as a hunk. */
export function toHunk(before: readonly string[], after: readonly string[]): Hunk {
  const matched = matchLines(before.map(keyOf), after.map(keyOf));
  const lines: string[] = [];
  let old = 0;
  for (const [i, text] of after.entries()) {
    const to = matched[i] ?? -1;
    for (; old < to; old++) lines.push(`-${before[old]}`);
    if (to < 0) lines.push(`+${text}`);
    else lines.push(` ${before[old++]}`);
  }
  for (; old < before.length; old++) lines.push(`-${before[old]}`);
  return { lines };
}

export function inverted({ lines, start, newStart }: Hunk): Hunk {
  return {
    ...(newStart !== undefined && { start: newStart }),
    ...(start !== undefined && { newStart: start }),
    lines: lines.map((line) =>
      isNew(line) ? `-${line.slice(1)}` : isOld(line) ? `+${line.slice(1)}` : line,
    ),
  };
}
