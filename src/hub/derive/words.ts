/** The words of a text as a `tsvector`: those that the local index would hold, with their places and where they stand. */
import { innerWords } from "../../model/text/words.ts";

/** `A`: what was asked and answered. `B`: what else was said, run and given back. `C`: words inside of names. */
export type Weight = "A" | "B" | "C";

export interface WeightedText {
  readonly text: string;
  readonly weight: Weight;
}

const TOKEN = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;
/** PostgreSQL's limits: bytes of a word, places of a word, the last place; and of all, with room for its own bookkeeping. */
export const LONGEST_WORD = 2046;
const MOST_PLACES = 255;
const LAST_PLACE = 16_383;
const MOST_BYTES = 900_000;
/** Words of different texts are never neighbours. */
const GAP = 8;

/** As the index holds it: in lower case, and without marks above and below its letters. */
export const toWord = (token: string): string =>
  // Most words are plain ASCII, and normalizing costs more than all the rest.
  /^[\0-\x7f]*$/.test(token)
    ? token.toLowerCase()
    : token
        .normalize("NFD")
        .replace(/\p{M}+/gu, "")
        .normalize("NFC")
        .toLowerCase();

/** What was asked and answered, what else there is, and the words inside of names in both. */
export function turnWords(content: string, more = ""): string {
  return toTsvector([
    { text: content, weight: "A" },
    { text: more, weight: "B" },
    { text: innerWords(`${content}\n${more}`), weight: "C" },
  ]);
}

/** As the literal of a `tsvector`. Of a text that is too long, the beginning. */
export function toTsvector(texts: readonly WeightedText[]): string {
  const places = new Map<string, string[]>();
  let bytes = 0;
  let place = 0;
  for (const { text, weight } of texts) {
    for (const [token] of text.matchAll(TOKEN)) {
      place++;
      const word = toWord(token);
      if (word === "") continue;
      const known = places.get(word);
      if (known && known.length >= MOST_PLACES) continue;
      const size = known ? 2 : Buffer.byteLength(word) + 12;
      if (bytes + size > MOST_BYTES) return toLiteral(places);
      if (!known && Buffer.byteLength(word) > LONGEST_WORD) continue;
      bytes += size;
      const at = `${Math.min(place, LAST_PLACE)}${weight}`;
      if (!known) places.set(word, [at]);
      else if (known.at(-1) !== at) known.push(at);
    }
    place += GAP;
  }
  return toLiteral(places);
}

/** Words consist of letters and digits, so nothing in them has to be escaped. */
const toLiteral = (places: ReadonlyMap<string, readonly string[]>): string =>
  [...places].map(([word, at]) => `'${word}':${at.join(",")}`).join(" ");
