/** Where characters begin and end as people see them: accents, skin tones and joined emoji belong to what they stand on. Pure. */

/** However a character is put together, it is rarely longer than this. */
const AROUND = 32;
/** Below this, each unit is a character of its own. */
const FIRST_JOINED = 0x300;

/** The place itself, or the beginning of the character that it would cut in two. */
export const characterStart = (text: string, place: number): number => edges(text, place)[0];
/** The place itself, or the end of the character that it would cut in two. */
export const characterEnd = (text: string, place: number): number => edges(text, place)[1];

function edges(text: string, place: number): [start: number, end: number] {
  if (place <= 0 || place >= text.length || text.charCodeAt(place) < FIRST_JOINED) return [place, place];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const from = Math.max(0, place - AROUND);
  const around = segmenter.segment(text.slice(from, place + AROUND)).containing(place - from);
  if (!around || from + around.index === place) return [place, place];
  return [from + around.index, from + around.index + around.segment.length];
}
/** Made when it is first needed: most text is simple. */
let segmenter: Intl.Segmenter | undefined;
