/**
 * Where a word of o200k ends. The encoding's pattern is carried out by hand as long as a word and the character behind it
 * are ASCII, which is several times faster; the pattern itself decides all other words.
 */

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const SPACE = 4;
const BREAK = 5;
/** No ASCII: what it counts as is for the pattern to say. */
const FOREIGN = 6;
const END = 7;

/** Must stand behind the last byte of the text, so that no loop has to ask whether there is one more. No text has it. */
export const END_MARK = 0xff;

const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code > 127) return code === END_MARK ? END : FOREIGN;
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return LOWER;
  if (/[A-Z]/.test(char)) return UPPER;
  if (/[0-9]/.test(char)) return DIGIT;
  if (/[\r\n]/.test(char)) return BREAK;
  return /\s/.test(char) ? SPACE : OTHER;
});

const BLANK = 0x20;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;

const classAt = (bytes: Uint8Array, at: number): number => CLASSES[bytes[at] as number] as number;

/** The end of the word at `at`; -1 where the pattern must say it. */
export function asciiWordEnd(bytes: Uint8Array, at: number): number {
  const first = classAt(bytes, at);
  if (first === LOWER || first === UPPER) return lettersEnd(bytes, at);
  if (first === FOREIGN) return -1;
  if (first === DIGIT) return numberEnd(bytes, at);
  if (first === BREAK) return spacesEnd(bytes, at);
  // One character that is neither letter, digit nor line break belongs to the letters behind it.
  const second = classAt(bytes, at + 1);
  if (second === LOWER || second === UPPER) return lettersEnd(bytes, at + 1);
  if (second === FOREIGN) return -1;
  if (first === OTHER) return marksEnd(bytes, at + 1);
  return second === OTHER && bytes[at] === BLANK ? marksEnd(bytes, at + 2) : spacesEnd(bytes, at);
}

function numberEnd(bytes: Uint8Array, at: number): number {
  let end = at + 1;
  while (end < at + 3 && classAt(bytes, end) === DIGIT) end++;
  return end < at + 3 && classAt(bytes, end) === FOREIGN ? -1 : end;
}

function lettersEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (classAt(bytes, end) === UPPER) end++;
  while (classAt(bytes, end) === LOWER) end++;
  if (classAt(bytes, end) === FOREIGN) return -1;
  return bytes[end] === APOSTROPHE ? end + contraction(bytes, end + 1) : end;
}

function marksEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (classAt(bytes, end) === OTHER) end++;
  if (classAt(bytes, end) === FOREIGN) return -1;
  while (classAt(bytes, end) === BREAK || bytes[end] === SLASH) end++;
  return end;
}

/** Up to the last line break; without one, the last blank is left for the word behind it. */
function spacesEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  let afterBreak = -1;
  for (let kind = classAt(bytes, end); kind === SPACE || kind === BREAK; kind = classAt(bytes, ++end))
    if (kind === BREAK) afterBreak = end + 1;
  const next = classAt(bytes, end);
  if (next === FOREIGN) return -1;
  if (afterBreak >= 0) return afterBreak;
  return next !== END && end > at + 1 ? end - 1 : end;
}

/** How long "'s", "'re" and the like are here, of which the apostrophe was seen. */
function contraction(bytes: Uint8Array, at: number): number {
  const letter = (i: number): string => String.fromCharCode((bytes[i] as number) | 0x20);
  const one = letter(at);
  if (one === "s" || one === "d" || one === "m" || one === "t") return 2;
  if (one !== "l" && one !== "v" && one !== "r") return 0;
  const two = letter(at + 1);
  return (one === "l" ? two === "l" : two === "e") ? 3 : 0;
}
