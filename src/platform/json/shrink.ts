/**
 * Cuts long strings out of JSON text while it streams by, so that a 60 MB line with one huge tool output becomes a
 * small line with the same shape. What is nested too deeply goes as well; all else passes unchanged. Text that cannot be
 * JSON any more is not kept further than to the byte that shows it, so that a hole of NULs takes no memory.
 *
 * Not built on the scanner, which passes over the inside of texts: this must judge every byte there (where a cut leaves
 * whole characters and escapes, and which byte shows that it is no JSON), and copies while it looks.
 */
import { MAX_DEPTH, TOO_DEEP } from "../../model/values/json.ts";
import * as json from "./bytes.ts";

/** Bound here, because they are compared with every byte: some loaders look an import up each time. */
const { BACKSLASH, QUOTE, closes, opens } = json;

export interface Shrinker {
  push(bytes: Buffer): void;
  end(): Shrunk;
}

export interface Shrunk {
  readonly bytes: Buffer;
  /** Bytes that were left out. */
  readonly cut: number;
  /** Even shrunk it was too large: what is kept is a beginning, and no JSON. */
  readonly isPartial: boolean;
}

const LETTER_U = 0x75;
/** Control characters may stand in no string, and NUL nowhere. */
const SPACE = 0x20;
const NUL = 0;
/** What may follow a backslash, and the u after one. */
const ESCAPED = flags('"\\/bfnrtu');
const HEX = flags("0123456789abcdefABCDEF");

/** Even shrunk text can be large (a long list of numbers), and parsing it takes many times its size. */
const MAX_KEPT = 16 << 20;

/** What is kept is gathered in blocks: a line of a million short strings must not become a million small buffers. */
const BLOCK = 64 << 10;

const INSTEAD = Buffer.from(JSON.stringify(TOO_DEEP));

/** `keep` is what stays of each string, in bytes. */
export function createShrinker(keep: number, most: number = Math.max(MAX_KEPT, 4 * keep)): Shrinker {
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
  /** Objects and lists that are open; below the deepest level nothing is kept. */
  let depth = 0;
  let isBroken = false;
  let isPartial = false;

  const isHidden = (): boolean => depth > MAX_DEPTH;
  const put = (bytes: Buffer): void => {
    if (bytes.length === 0) return;
    if (isPartial || kept + bytes.length > most) {
      isPartial = true;
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
  /** Not JSON from this byte on: the byte is kept, so that the parser finds it, and the rest is dropped. */
  const breakAt = (bytes: Buffer, at: number): void => {
    isBroken = true;
    put(bytes.subarray(at, at + 1));
    cut += bytes.length - at - 1;
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
  /** What stands between strings; gives the place behind what was taken. */
  const putStructure = (bytes: Buffer, from: number, to: number): number => {
    let start = from;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      if (opens(byte)) {
        if (++depth !== MAX_DEPTH + 1) continue;
        put(bytes.subarray(start, at));
        put(INSTEAD);
        cut -= INSTEAD.length;
        start = at;
      } else if (closes(byte)) {
        if (depth-- !== MAX_DEPTH + 1) continue;
        cut += at + 1 - start;
        start = at + 1;
      } else if (byte === NUL) {
        if (isHidden()) cut += at - start;
        else put(bytes.subarray(start, at));
        breakAt(bytes, at);
        return bytes.length;
      }
    }
    if (isHidden()) cut += to - start;
    else put(bytes.subarray(start, to));
    return to;
  };
  const openString = (quote: Buffer): void => {
    inString = true;
    room = keep;
    cutting = isHidden();
    if (cutting) cut++;
    else put(quote);
  };

  return {
    push(bytes) {
      let at = 0;
      while (at < bytes.length) {
        if (isBroken || isPartial) {
          cut += bytes.length - at;
          return;
        }
        if (!inString) {
          const quote = bytes.indexOf(QUOTE, at);
          at = putStructure(bytes, at, quote < 0 ? bytes.length : quote);
          if (at === quote) openString(bytes.subarray(at, ++at));
        } else if (escapeLeft !== 0) {
          const byte = bytes[at] as number;
          const isFirst = escapeLeft === -1;
          if (!(isFirst ? ESCAPED : HEX)[byte]) {
            breakAt(bytes, at);
            return;
          }
          // An escape begun is finished: its backslash was already kept or cut.
          if (cutting) cut++;
          else put(bytes.subarray(at, at + 1));
          escapeLeft = isFirst ? (byte === LETTER_U ? 4 : 0) : escapeLeft - 1;
          at++;
        } else {
          const next = nextSpecial(bytes, at);
          putText(bytes.subarray(at, next));
          at = next;
          if (at >= bytes.length) break;
          if (bytes[at] === QUOTE) {
            inString = false;
            if (isHidden()) cut++;
            else put(bytes.subarray(at, at + 1));
          } else if (bytes[at] === BACKSLASH) {
            // The backslash stands for six bytes at most; without room for them the cut is here.
            if (!cutting && room < 6) cutting = true;
            if (cutting) cut++;
            else {
              room -= 6;
              put(bytes.subarray(at, at + 1));
            }
            escapeLeft = -1;
          } else {
            breakAt(bytes, at);
            return;
          }
          at++;
        }
      }
    },
    end: () => ({ bytes: Buffer.concat([...out, block.subarray(0, filled)], kept), cut, isPartial }),
  };
}

function flags(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) table[byte] = 1;
  return table;
}

/**
 * The next quote, backslash or control character; bytes, because none can be part of a longer UTF-8 character. A plain
 * loop: texts are full of escapes, and a search for each costs more.
 */
function nextSpecial(bytes: Buffer, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE || byte === BACKSLASH || byte < SPACE) break;
  }
  return at;
}
