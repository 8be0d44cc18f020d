/** Finds parts of lines that changes wrote into lines of which no record says what they were. */
import type { LooseLines } from "./document.ts";
import { GUESSED, NOBODY, toLine } from "./lines.ts";
import { findText } from "./locate.ts";
import { choosePlaces } from "./text-places.ts";

/** `keys` are the lines of the file, `isOpen` tells which of them nobody is known to have written. The last change counts. */
export function findFragments(
  keys: readonly string[],
  isOpen: (at: number) => boolean,
  loose: readonly LooseLines[],
): Int32Array {
  const found = new Int32Array(keys.length).fill(NOBODY);
  const parts = loose.filter(({ isFragment }) => isFragment);
  if (parts.length === 0) return found;
  const lines = keys.map((key) => toLine(key, GUESSED));
  for (const { lines: fragment } of parts) {
    const pieces = fragment.map(({ key }) => key);
    const by = fragment[0]?.by ?? NOBODY;
    const places = findText(lines, pieces, ({ key }) => key);
    for (const { line } of choosePlaces(places, { lines, pieces, of: ({ key }) => key, all: false, by }))
      if (isOpen(line)) found[line] = by;
  }
  return found;
}
