/** Recognizes the start and end of a line as Copilot CLI writes it, from its bytes, without decoding the rest. */

/** In a pattern, # is a decimal digit and ? a digit of a UUID; all else stands for itself. */
const UUID = [8, 4, 4, 4, 12].map((digits) => "?".repeat(digits)).join("-");
const ENVELOPE = `,"id":"${UUID}","timestamp":"####-##-##T##:##:##.###Z","parentId":`;
const TAILS = [`${ENVELOPE}"${UUID}"}`, `${ENVELOPE}null}`].map((tail) => Buffer.from(tail));
const ID = ENVELOPE.indexOf("?");
const TIME = ENVELOPE.indexOf("#");
export const TIME_LENGTH = ENVELOPE.lastIndexOf("Z") + 1 - TIME;

const code = (character: string): number => character.charCodeAt(0);
const [ANY_DIGIT, ANY_UUID_DIGIT, CARRIAGE_RETURN] = [code("#"), code("?"), code("\r")];
const DIGITS = flags("0123456789");
const UUID_DIGITS = flags("0123456789abcdef");

function flags(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[code(character)] = 1;
  return table;
}

/** Do the bytes from `start` on say this? Both are compared by hand: a call into the engine would cost more. */
export function says(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[start + i] !== expected[i]) return false;
  return true;
}

/** Where the usual end of the line from `start` to `end` begins, or -1. With it in place the envelope is sound. */
export function findTail(bytes: Uint8Array, start: number, end: number): number {
  const last = bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
  for (const tail of TAILS) {
    const at = last - tail.length;
    if (at >= start && fits(bytes, at, tail)) return at;
  }
  return -1;
}

function fits(bytes: Uint8Array, start: number, pattern: Uint8Array): boolean {
  // From the end: what cannot be a UUID shows at once.
  for (let i = pattern.length - 1; i >= 0; i--) {
    const byte = bytes[start + i] as number;
    const wanted = pattern[i];
    const is =
      wanted === ANY_UUID_DIGIT
        ? UUID_DIGITS[byte] === 1
        : wanted === ANY_DIGIT
          ? DIGITS[byte] === 1
          : byte === wanted;
    if (!is) return false;
  }
  return true;
}

export const timeIn = (bytes: Buffer, tail: number): string =>
  bytes.toString("latin1", tail + TIME, tail + TIME + TIME_LENGTH);
/** Where the time stands in the usual end. */
export const timeStart = (tail: number): number => tail + TIME;
export const idIn = (bytes: Buffer, tail: number): string =>
  bytes.toString("latin1", tail + ID, tail + ID + UUID.length);

const ZERO = code("0");
const two = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) - ZERO) * 10 + (bytes[at + 1] as number) - ZERO;

/** What `isTimely` says of the time in a usual end, which need not be made a text for it. */
export const isTimelyAt = (bytes: Uint8Array, tail: number): boolean => two(bytes, tail + TIME) === 20;

/** What `isPlainTime` says of it. */
export function isPlainTimeAt(bytes: Uint8Array, tail: number): boolean {
  const at = tail + TIME;
  const [month, day] = [two(bytes, at + 5), two(bytes, at + 8)];
  if (month < 1 || month > 12 || day < 1 || day > 28) return false;
  return two(bytes, at + 11) < 24 && two(bytes, at + 14) < 60 && two(bytes, at + 17) < 60;
}
