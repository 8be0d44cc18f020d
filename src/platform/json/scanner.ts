/**
 * Finds where values begin and end in streamed JSON text, without parsing or keeping it. Everything here that navigates
 * valid JSON is built on this; code that must look at each byte of strings, or at damage, is not.
 */
import { behindNuls } from "../fs/nuls.ts";
import * as json from "./bytes.ts";

/** Bound here, because they are compared with every byte: some loaders look an import up each time. */
const { BACKSLASH, COLON, COMMA, closes, isEscaped, isSpace, OPEN_LIST, opens, QUOTE } = json;

export interface ScanVisitor {
  /** A value begins with this byte. True enters an object or list: what it holds is visited, too. */
  begin(at: number, byte: number): boolean;
  /** The value that began last, and was not entered, has ended before this place. */
  end(end: number): void;
  /** The object or list that was entered last has ended before this place. */
  leave(end: number): void;
  /** The name of the member that comes next, and where it begins. */
  name(name: string, at: number): void;
  /** Between two members or items. */
  comma(at: number): void;
}

export interface Scanner {
  push(bytes: Buffer): void;
  /** True when the text was one whole value, as far as brackets and quotes tell. */
  end(): boolean;
}

/** In bytes, and up to a piece of the file more. */
const LONGEST_NAME = 64 << 10;

const endsScalar = (byte: number): boolean => byte === COMMA || closes(byte) || isSpace(byte);

/** Positions are counted from `base`. */
export function createScanner(visitor: ScanVisitor, base = 0): Scanner {
  /** Of each object or list that was entered; and of the innermost. */
  const lists: boolean[] = [];
  let isList: boolean | undefined;
  let position = base;
  /** Inside a value that is not entered: how many brackets are open; -1 outside of any. */
  let depth = -1;
  let inString = false;
  let escaped = false;
  /** Where the name begins that is being read; a string in its place is never a value. */
  let nameStart = -1;
  let needsName = false;
  /** What earlier pieces of the text held of the name. */
  let nameParts: Buffer[] = [];
  let nameSize = 0;
  let started = false;
  let broken = false;

  const addToName = (bytes: Buffer): void => {
    // Of a quote that is never closed, everything that follows would be the name.
    if (nameStart < 0 || nameSize > LONGEST_NAME) return;
    nameParts.push(Buffer.from(bytes));
    nameSize += bytes.length;
  };
  const close = (end: number): void => {
    depth = -1;
    visitor.end(end);
  };
  const endName = (bytes: Buffer, from: number, to: number): void => {
    // Most names are in one piece, and nothing in them is escaped.
    const name = nameSize === 0 ? bytes.toString("utf8", from, to) : undefined;
    if (name === undefined) addToName(bytes.subarray(from, to));
    visitor.name(name ?? unquote(Buffer.concat(nameParts)), nameStart);
    inString = false;
    nameStart = -1;
    needsName = false;
    nameParts = [];
    nameSize = 0;
  };
  /** Goes on inside a text that is no name; gives the place behind what it has seen. */
  const passString = (bytes: Buffer, from: number): number => {
    const end = endOfString(bytes, from);
    inString = end > bytes.length;
    escaped = end > bytes.length + 1;
    if (!inString && depth === 0) close(position + end);
    return Math.min(end, bytes.length);
  };
  /** A byte between the values of an entered object or list, or the first of a value. */
  const step = (byte: number, at: number): void => {
    if (closes(byte)) {
      needsName = false;
      if (isList === undefined) return;
      lists.pop();
      isList = lists.at(-1);
      visitor.leave(at + 1);
    } else if (byte === COMMA) {
      if (isList === undefined) return;
      needsName = !isList;
      visitor.comma(at);
    } else if (byte === COLON || isSpace(byte)) return;
    else if (needsName) {
      if (byte === QUOTE) {
        nameStart = at;
        inString = true;
      } else broken = true;
    } else if (isList === undefined && started) {
      broken = true; // something after the end
    } else {
      started = true;
      const isEntered = visitor.begin(at, byte);
      if (isEntered && opens(byte)) {
        isList = byte === OPEN_LIST;
        lists.push(isList);
        needsName = !isList;
      } else {
        depth = opens(byte) ? 1 : 0;
        inString = byte === QUOTE;
      }
    }
  };
  /** Goes on inside a value that is not entered, which most bytes are in; gives the place behind what it has seen. */
  const passValue = (bytes: Buffer, from: number): number => {
    let open = depth;
    let at = from;
    while (at < bytes.length) {
      const byte = bytes[at++] as number;
      if (byte === QUOTE) {
        at = endOfString(bytes, at);
        if (at > bytes.length) {
          inString = true;
          escaped = at > bytes.length + 1;
          break;
        }
      } else if (opens(byte)) open++;
      else if (closes(byte) && --open === 0) {
        close(position + at);
        return at;
      }
    }
    depth = open;
    return Math.min(at, bytes.length);
  };

  return {
    push(bytes) {
      let at = 0;
      while (at < bytes.length && !broken) {
        if (escaped) {
          escaped = false;
          addToName(bytes.subarray(at, at + 1));
          at++;
        } else if (inString && nameStart < 0) at = passString(bytes, at);
        else if (inString) {
          const next = nextSpecial(bytes, at);
          if (next >= bytes.length) {
            addToName(bytes.subarray(at));
            at = bytes.length;
          } else if (bytes[next] === BACKSLASH) {
            escaped = true;
            addToName(bytes.subarray(at, next + 1));
            at = next + 1;
          } else {
            endName(bytes, at, next);
            at = next + 1;
          }
        } else if (depth > 0) at = passValue(bytes, at);
        else {
          const byte = bytes[at] as number;
          if (byte === 0 && lists.length === 0) broken = true; // a hole in place of a value
          if (depth < 0) step(byte, position + at++);
          else if (endsScalar(byte)) {
            close(position + at);
            step(byte, position + at++);
          } else at = passScalar(bytes, at);
        }
      }
      position += bytes.length;
    },
    end() {
      // A number at the very top has no byte behind it that would end it.
      if (depth === 0 && lists.length === 0 && !inString) close(position);
      return started && !broken && lists.length === 0 && depth < 0;
    },
  };
}

/** Where the scalar may end that goes on at `from`; garbage in its place may go on for long. */
function passScalar(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && !endsScalar(bytes[at] as number))
    at = bytes[at] === 0 ? behindNuls(bytes, at) : at + 1;
  return at;
}

/** A name that is no JSON string is taken as it is. */
function unquote(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/** After so many bytes without a quote a search is faster than looking at each; before, it costs more than it saves. */
const QUOTELESS = 64;

/** Behind the quote that ends a string; one beyond the bytes when it goes on behind them, two when with what is escaped. */
function endOfString(bytes: Buffer, from: number): number {
  let searchAt = from + QUOTELESS;
  let at = from;
  while (at < bytes.length) {
    if (at >= searchAt) {
      const quote = bytes.indexOf(QUOTE, at);
      const end = quote < 0 ? bytes.length : quote;
      if (!isEscaped(bytes, end, at)) return end + 1;
      if (quote < 0) return end + 2;
      at = quote + 1;
      searchAt = at + QUOTELESS;
      continue;
    }
    const byte = bytes[at++];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH && bytes[at++] === QUOTE) searchAt = at + QUOTELESS;
  }
  return at + 1;
}

/** The next quote or backslash. A plain loop: texts are full of escapes, and a search for each costs more. */
function nextSpecial(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++;
  return at;
}
