/**
 * Finds lines that were written, went, and are there again, as after an undo or a checkout, and lines of which no record
 * says where they were put. Only lines that say something are looked for; what stands between them comes along.
 */
import type { LooseLines } from "./document.ts";
import { isTelling, NOBODY } from "./lines.ts";

interface Place {
  readonly block: number;
  readonly at: number;
}

/** So many places of one line are looked at, the latest first. */
const MOST_PLACES = 64;
/** A line that is found alone says at least so much. */
const LEAST_ALONE = 16;

/**
 * `keys` are the lines of the file, `open` tells which of them nobody is known to have written: those that are new to
 * everything that is known, and those that may have been there all the time. Gives back who wrote each, or nobody.
 */
export function findLoose(
  keys: readonly string[],
  open: (at: number) => "new" | "guessed" | undefined,
  loose: readonly LooseLines[],
): Int32Array {
  const found = new Int32Array(keys.length).fill(NOBODY);
  if (loose.length === 0) return found;
  const words = keys.map((key) => key.trim());
  const blocks = loose.map(({ lines }) => lines.map(({ key }) => key.trim()));
  const places = indexOf(blocks);
  const fits = (at: number, block: number): boolean => {
    const why = at < keys.length && found[at] === NOBODY ? open(at) : undefined;
    return why === "new" || (why === "guessed" && loose[block]?.why === "unplaced");
  };
  /** The lines around this one that are the same in both. */
  const extend = (at: number, place: Place): { from: number; to: number } => {
    const block = blocks[place.block] ?? [];
    const isSame = (off: number): boolean =>
      at + off >= 0 &&
      block[place.at + off] !== undefined &&
      words[at + off] === block[place.at + off] &&
      fits(at + off, place.block);
    let [from, to] = [at, at + 1];
    while (isSame(from - 1 - at)) from--;
    while (isSame(to - at)) to++;
    return { from, to };
  };
  for (let at = 0; at < keys.length; at++) {
    let best: { from: number; to: number; place: Place } | undefined;
    for (const place of places.get(words[at] ?? "") ?? []) {
      if (!fits(at, place.block)) continue;
      const span = extend(at, place);
      if (!best || span.to - span.from > best.to - best.from) best = { ...span, place };
    }
    if (!best || !saysEnough(words.slice(best.from, best.to))) continue;
    const { lines = [] } = loose[best.place.block] ?? {};
    for (let each = best.from; each < best.to; each++)
      found[each] = lines[best.place.at + each - at]?.by ?? NOBODY;
  }
  return found;
}

const saysEnough = (words: readonly string[]): boolean => {
  const telling = words.filter(isTelling);
  return telling.length > 1 || (telling[0]?.length ?? 0) >= LEAST_ALONE;
};

/** Where each line that says something stands, in the latest block first. */
function indexOf(blocks: readonly (readonly string[])[]): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (let block = blocks.length - 1; block >= 0; block--)
    for (const [at, key] of (blocks[block] ?? []).entries()) {
      if (!isTelling(key)) continue;
      const known = places.get(key);
      if (!known) places.set(key, [{ block, at }]);
      else if (known.length < MOST_PLACES) known.push({ block, at });
    }
  return places;
}
