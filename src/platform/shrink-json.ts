/**
 * Cuts long strings out of JSON text while it streams by, so that a 60 MB line with one huge tool output becomes a
 * small line with the same shape. Everything but the inside of long strings passes unchanged.
 */

export interface Shrinker {
  push(bytes: Buffer): void;
  end(): { bytes: Buffer; cut: number };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** Even shrunk text can be large (a long array of numbers); beyond this it is not kept, and will not parse. */
const MAX_KEPT = 64 << 20;

/** What is kept is gathered in blocks: a line of a million short strings must not become a million small buffers. */
const BLOCK = 64 << 10;

export function createShrinker(keep: number): Shrinker {
  const out: Buffer[] = [];
  let block = Buffer.alloc(0);
  let filled = 0;
  let kept = 0;
  let cut = 0;
  let inString = false;
  let cutting = false;
  /** What is left to keep of the current string. */
  let room = 0;
  /** Bytes of an escape sequence still to come; -1 right after the backslash. */
  let escapeLeft = 0;

  const put = (bytes: Buffer): void => {
    if (bytes.length === 0) return;
    if (kept + bytes.length > MAX_KEPT) {
      cut += bytes.length;
      return;
    }
    if (filled + bytes.length > block.length) {
      out.push(block.subarray(0, filled));
      block = Buffer.allocUnsafe(Math.max(BLOCK, bytes.length));
      filled = 0;
    }
    filled += bytes.copy(block, filled);
    kept += bytes.length;
  };
  /** Part of a string: kept while there is room, cut at a character boundary, then dropped up to the closing quote. */
  const putText = (bytes: Buffer): void => {
    if (cutting) {
      cut += bytes.length;
      return;
    }
    if (bytes.length <= room) {
      room -= bytes.length;
      put(bytes);
      return;
    }
    cutting = true;
    let end = room;
    while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    put(bytes.subarray(0, end));
    cut += bytes.length - end;
  };

  return {
    push(bytes) {
      let at = 0;
      while (at < bytes.length) {
        if (!inString) {
          const quote = bytes.indexOf(QUOTE, at);
          const end = quote < 0 ? bytes.length : quote + 1;
          put(bytes.subarray(at, end));
          at = end;
          if (quote >= 0) {
            inString = true;
            cutting = false;
            room = keep;
          }
        } else if (escapeLeft !== 0) {
          const length = escapeLeft === -1 ? 1 : Math.min(escapeLeft, bytes.length - at);
          // An escape begun is finished: its backslash was already kept or cut.
          if (cutting) cut += length;
          else put(bytes.subarray(at, at + length));
          escapeLeft = escapeLeft === -1 ? (bytes[at] === LETTER_U ? 4 : 0) : escapeLeft - length;
          at += length;
        } else {
          const next = nextSpecial(bytes, at);
          putText(bytes.subarray(at, next));
          at = next;
          if (at >= bytes.length) break;
          if (bytes[at] === QUOTE) {
            inString = false;
            put(bytes.subarray(at, at + 1));
          } else {
            // The backslash stands for six bytes at most; without room for them the cut is here.
            if (!cutting && room < 6) cutting = true;
            if (cutting) cut++;
            else {
              room -= 6;
              put(bytes.subarray(at, at + 1));
            }
            escapeLeft = -1;
          }
          at++;
        }
      }
    },
    end: () => ({ bytes: Buffer.concat([...out, block.subarray(0, filled)], kept), cut }),
  };
}

/**
 * The next quote or backslash; bytes, because neither can be part of a longer UTF-8 character. A plain loop: texts are
 * full of escapes, and a search for each costs more.
 */
function nextSpecial(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++;
  return at;
}
