/** Recognizes the start and end of a line as Copilot CLI writes it, from its bytes, without decoding the rest. */

/** In a pattern, # is a decimal digit and ? a digit of a UUID; all else stands for itself. */
const UUID = [8, 4, 4, 4, 12].map((digits) => "?".repeat(digits)).join("-");
const ENVELOPE = `,"id":"${UUID}","timestamp":"####-##-##T##:##:##.###Z","parentId":`;
const TAILS = [`${ENVELOPE}"${UUID}"}`, `${ENVELOPE}null}`].map((tail) => Buffer.from(tail));
const ID = ENVELOPE.indexOf("?");
const TIME = ENVELOPE.indexOf("#");
const TIME_LENGTH = ENVELOPE.lastIndexOf("Z") + 1 - TIME;

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
export const idIn = (bytes: Buffer, tail: number): string =>
  bytes.toString("latin1", tail + ID, tail + ID + UUID.length);
