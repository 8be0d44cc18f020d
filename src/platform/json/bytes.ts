/** The bytes that JSON is made of. None of them can be part of a longer UTF-8 character. */

export const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
export const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d] as const;

export const opens = (byte: number): boolean => byte === OPEN || byte === OPEN_LIST;
export const closes = (byte: number): boolean => byte === CLOSE || byte === CLOSE_LIST;
export const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Whether an odd number of backslashes stands before a place, none of them before `from`. */
export const isEscaped = (bytes: Buffer, at: number, from: number): boolean =>
  (at - startOfBackslashes(bytes, at, from)) % 2 === 1;

/** Where the backslashes right before a place begin. */
export function startOfBackslashes(bytes: Buffer, at: number, from: number): number {
  let start = at;
  while (start > from && bytes[start - 1] === BACKSLASH) start--;
  return start;
}
