/**
 * Finds where values begin and end in JSON text that streams by, without parsing or holding it: how a document of any
 * size is read turn by turn, and how the whole turns of a torn one are found.
 */
import { behindNuls } from "../../../platform/fs/nuls.ts";

export type Path = readonly (string | number)[];

/** A value: its place in the text, and its path from the top. */
export interface Span {
  readonly path: Path;
  readonly start: number;
  readonly end: number;
  /** Set when it was entered, so that what it holds has spans of its own. */
  readonly holds?: "list" | "fields";
  /** Of a member, if asked for: where its name begins, and the comma before it, which the first one lacks. */
  readonly member?: Member;
}

export interface Member {
  readonly name: number;
  readonly comma?: number;
}

export interface Outline {
  /** Every value down to those that were not entered, each after what it holds. */
  readonly spans: readonly Span[];
  /** The value that was begun but not ended, when the text stops too early. */
  readonly open?: Span;
  /** True when the text is one whole value, as far as brackets and quotes tell. */
  readonly whole: boolean;
}

export interface Outliner {
  push(bytes: Buffer): void;
  end(): Outline;
}

interface Frame {
  readonly path: Path;
  readonly start: number;
  readonly isArray: boolean;
  index: number;
  key: string | undefined;
  name: number;
  comma: number | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

/** In bytes, and up to a piece of the file more. */
const LONGEST_KEY = 64 << 10;

const endsScalar = (byte: number): boolean => byte === COMMA || closes(byte) || isSpace(byte);

/** `enter` says which objects and arrays are looked into. */
export function createOutliner(enter: (path: Path) => boolean, base = 0, withMembers = false): Outliner {
  const spans: Span[] = [];
  const frames: Frame[] = [];
  let position = base;
  /** Inside a value that is not entered: where it began, and how many brackets are open. */
  let leaf: { path: Path; start: number; depth: number; member: { member?: Member } } | undefined;
  let inString = false;
  let escaped = false;
  /** Bytes of the key being read; a string in key position is never a value. */
  let key: Buffer[] | undefined;
  let keySize = 0;
  const addToKey = (bytes: Buffer): void => {
    // Of a quote that is never closed, everything that follows would be the name.
    if (!key || keySize > LONGEST_KEY) return;
    key.push(Buffer.from(bytes));
    keySize += bytes.length;
  };
  let started = false;
  let broken = false;

  const here = (): Path => {
    const frame = frames.at(-1);
    return frame ? [...frame.path, frame.isArray ? frame.index : (frame.key ?? "")] : [];
  };
  const memberIn = (frame: Frame | undefined): { member?: Member } =>
    withMembers && frame && !frame.isArray
      ? { member: { name: frame.name, ...(frame.comma !== undefined && { comma: frame.comma }) } }
      : {};
  const close = (end: number): void => {
    if (leaf) spans.push({ path: leaf.path, start: leaf.start, end, ...leaf.member });
    leaf = undefined;
  };
  const endString = (piece: Buffer, after: number): void => {
    inString = false;
    const frame = frames.at(-1);
    if (key && frame) {
      addToKey(piece);
      frame.key = unquote(Buffer.concat(key));
      key = undefined;
    } else if (leaf?.depth === 0) close(after);
  };
  /** A byte between the values of an entered object or array, or the first of a value. */
  const step = (byte: number, at: number): void => {
    const frame = frames.at(-1);
    if (closes(byte)) {
      if (frame) {
        const { path, start, isArray } = frame;
        spans.push({
          path,
          start,
          end: at + 1,
          holds: isArray ? "list" : "fields",
          ...memberIn(frames.at(-2)),
        });
      }
      frames.pop();
    } else if (byte === COMMA) {
      if (frame?.isArray) frame.index++;
      else if (frame) {
        frame.key = undefined;
        frame.comma = at;
      }
    } else if (byte === COLON || isSpace(byte)) {
      return;
    } else if (frame && !frame.isArray && frame.key === undefined) {
      if (byte === QUOTE) {
        key = [];
        keySize = 0;
        frame.name = at;
        inString = true;
      } else broken = true;
    } else if (!frame && started) {
      broken = true; // something after the end
    } else {
      started = true;
      const path = here();
      if (opens(byte) && enter(path)) {
        const isArray = byte === 0x5b;
        frames.push({ path, start: at, isArray, index: 0, key: undefined, name: at, comma: undefined });
      } else {
        leaf = { path, start: at, depth: opens(byte) ? 1 : 0, member: memberIn(frame) };
        inString = byte === QUOTE;
      }
    }
  };

  /** Goes on inside a value that is not entered, which most bytes are in; gives the place behind what it has seen. */
  const passLeaf = (bytes: Buffer, from: number, inside: { depth: number }): number => {
    let { depth } = inside;
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
      } else if (opens(byte)) depth++;
      else if (closes(byte) && --depth === 0) {
        close(position + at);
        break;
      }
    }
    inside.depth = depth;
    return Math.min(at, bytes.length);
  };

  return {
    push(bytes) {
      let at = 0;
      while (at < bytes.length && !broken) {
        if (escaped) {
          escaped = false;
          addToKey(bytes.subarray(at, at + 1));
          at++;
        } else if (inString) {
          const next = nextSpecial(bytes, at);
          if (next >= bytes.length) {
            addToKey(bytes.subarray(at));
            at = bytes.length;
          } else if (bytes[next] === BACKSLASH) {
            escaped = true;
            addToKey(bytes.subarray(at, next + 1));
            at = next + 1;
          } else {
            endString(bytes.subarray(at, next), position + next + 1);
            at = next + 1;
          }
        } else {
          const byte = bytes[at] as number;
          if (leaf && leaf.depth > 0) {
            at = passLeaf(bytes, at, leaf);
            continue;
          }
          if (byte === 0 && frames.length === 0) broken = true; // a hole in place of a value
          if (!leaf) step(byte, position + at++);
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
      if (leaf?.depth === 0 && frames.length === 0 && !inString) close(position);
      const whole = started && !broken && frames.length === 0 && !leaf;
      const open = leaf && { path: leaf.path, start: leaf.start, end: position };
      return { spans, whole, ...(open && { open }) };
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

export function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString("utf8"));
  } catch {
    return undefined; // callers know from the outline where it stands and report it
  }
}

const unquote = (bytes: Buffer): string =>
  (parse(Buffer.concat([Buffer.of(QUOTE), bytes, Buffer.of(QUOTE)])) as string | undefined) ??
  bytes.toString("utf8");

/** Behind the quote that ends a string; one beyond the bytes when it goes on behind them, two when with what is escaped. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  return at + 1;
}

/** The next quote or backslash. A plain loop: texts are full of escapes, and a search for each costs more. */
function nextSpecial(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++;
  return at;
}
