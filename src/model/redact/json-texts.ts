/**
 * Finds the texts in JSON without parsing it into values, so that single ones can be changed and every other character
 * stays: number spellings, order and repetition of names, escapes.
 */

export interface JsonText {
  /** Where it stands between its quotes, escapes included. */
  readonly start: number;
  readonly end: number;
  /** True for the name of a member. */
  readonly isName: boolean;
  /** The name of the member whose value it is, directly or as an item of its list; empty at the top. */
  readonly name: string;
  /** The names that lead to it; lists add none, so that all items of one have the same. */
  readonly path: string;
  /** The object or list that it stands in; -1 for none. They are counted as they begin. */
  readonly holder: number;
  readonly isItem: boolean;
}

interface Frame {
  readonly isList: boolean;
  readonly id: number;
  readonly path: string;
  /** The name of the member that comes next, or the one that the list belongs to. */
  name: string;
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y;
/** Whoever nests deeper is up to something; such text is read as plain text. */
const DEEPEST = 20_000;

/** Paths tell places apart and need not be exact; of absurd ones the beginning is enough. */
const LONGEST_PATH = 32;
const pathIn = (frame: Frame | undefined): string => {
  if (!frame || frame.isList) return frame?.path ?? "";
  return `${frame.path}/${frame.name.slice(0, 2 * LONGEST_PATH)}`;
};

/** Visits every text in order. False when it is no JSON: what was visited until then means nothing. */
export function eachJsonText(json: string, visit: (text: JsonText) => void): boolean {
  const frames: Frame[] = [];
  let begun = 0;
  let at = json.charCodeAt(0) === 0xfeff ? 1 : 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(json)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const text = (isName: boolean): boolean => {
    const start = at + 1;
    const end = endOfString(json, start);
    if (end < 0) return false;
    at = end + 1;
    const frame = frames.at(-1);
    visit({
      start,
      end,
      isName,
      name: frame?.name ?? "",
      path: isName ? "" : pathIn(frame),
      holder: frame?.id ?? -1,
      isItem: frame?.isList === true,
    });
    if (isName && frame) frame.name = decodeJsonText(json.slice(start, end));
    return true;
  };
  const nameBefore = (): boolean => {
    if (json[at] !== '"' || !text(true)) return false;
    skip(SPACE);
    if (json[at] !== ":") return false;
    at++;
    return true;
  };

  for (;;) {
    skip(SPACE);
    // A value, or the end of an empty list.
    const sign = json[at];
    if (sign === "{" || sign === "[") {
      if (frames.length >= DEEPEST) return false;
      const isList = sign === "[";
      const outer = frames.at(-1);
      const path = frames.length > LONGEST_PATH ? (outer?.path ?? "") : pathIn(outer);
      frames.push({ isList, id: begun++, path, name: isList ? (outer?.name ?? "") : "" });
      at++;
      skip(SPACE);
      if (json[at] !== (isList ? "]" : "}")) {
        if (!isList && !nameBefore()) return false;
        continue;
      }
    } else if (sign === '"') {
      if (!text(false)) return false;
    } else if (!skip(SCALAR)) return false;
    // What follows a value.
    for (;;) {
      skip(SPACE);
      const frame = frames.at(-1);
      if (!frame) return at === json.length;
      if (json[at] === ",") {
        at++;
        skip(SPACE);
        if (!frame.isList && !nameBefore()) return false;
        break;
      }
      if (json[at] !== (frame.isList ? "]" : "}")) return false;
      at++;
      frames.pop();
    }
  }
}

/** The quote that ends the string, or -1. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (json.charCodeAt(quote - 1 - slashes) === 92 && quote - 1 - slashes >= start) slashes++;
    if (slashes % 2 === 0) return quote;
  }
  return -1;
}

const ESCAPE = /\\(?:u[0-9A-Fa-f]{4}|[\s\S])/g;
const SHORT: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["b", "\b"],
  ["f", "\f"],
]);

const meant = (written: string): string =>
  written.length === 6
    ? String.fromCharCode(Number.parseInt(written.slice(2), 16))
    : (SHORT.get(written[1] ?? "") ?? written.slice(1));

/** What stands between the quotes, as it is meant. Unlike `JSON.parse`, it takes whatever is there. */
export const decodeJsonText = (raw: string): string =>
  raw.includes("\\") ? raw.replace(ESCAPE, meant) : raw;

/** Where places of the meant text are in the text between the quotes; the places must be in order. */
export function toRawPlaces(raw: string, places: readonly number[]): number[] {
  if (!raw.includes("\\")) return [...places];
  const found: number[] = [];
  /** How much longer the raw text is than the meant one, up to here. */
  let surplus = 0;
  ESCAPE.lastIndex = 0;
  let next = ESCAPE.exec(raw);
  for (const place of places) {
    // An escape that begins before the place is behind us.
    while (next && next.index - surplus < place) {
      surplus += next[0].length - 1;
      next = ESCAPE.exec(raw);
    }
    found.push(place + surplus);
  }
  ESCAPE.lastIndex = 0;
  return found;
}
