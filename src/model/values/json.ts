/**
 * Reads and writes JSON of any depth. `JSON.parse` has no depth limit, but `JSON.stringify` and every recursive
 * function fail beyond a few thousand levels. So values are cut at a safe depth when they are read, and written without
 * recursion.
 */
import { memberOf, setMember } from "./member.ts";

/** Levels of objects and lists that are read; no agent writes a tenth of it. Of Node's own functions, `isDeepStrictEqual` gives up first, at about 1100. */
export const MAX_DEPTH = 500;

/** Stands for what lies deeper. */
export const TOO_DEEP = `[nested deeper than ${MAX_DEPTH} levels]`;

/** Parses, and cuts what is nested too deeply. Throws `SyntaxError` as `JSON.parse` does. */
export function readJson(text: string): unknown {
  return readNested(text).value;
}

/** The same for callers that report what was cut. */
export function readNested(text: string): { value: unknown; isCut: boolean } {
  const value: unknown = JSON.parse(text);
  // Each level takes two characters at least, so most texts need no second look.
  if (text.length <= 2 * MAX_DEPTH) return { value, isCut: false };
  const isCut = cutDeep(value);
  return { value, isCut };
}

/** Replaces, in place, what lies deeper than `MAX_DEPTH`; says whether there was any. A scalar has no depth. */
export function cutDeep(value: unknown, levels: number = MAX_DEPTH): boolean {
  return isContainer(value) && cutBelow(value, levels);
}

type Container = Record<string | number, unknown>;
const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** Calls itself, but never more often than there are levels left. */
function cutBelow(holder: Container, levels: number): boolean {
  let isCut = false;
  if (Array.isArray(holder)) {
    for (let index = 0; index < holder.length; index++) if (cutMember(holder, index, levels)) isCut = true;
  } else for (const key in holder) if (cutMember(holder, key, levels)) isCut = true;
  return isCut;
}

function cutMember(holder: Container, key: string | number, levels: number): boolean {
  const inner = memberOf(holder, key);
  if (!isContainer(inner)) return false;
  if (levels > 1) return cutBelow(inner, levels - 1);
  setMember(holder, key, TOO_DEEP);
  return true;
}

/** Text that may be JSON, such as the arguments of a tool: its value, or the text itself where it is none or too deep. */
export function parseOrText(text: string): unknown {
  try {
    const { value, isCut } = readNested(text);
    return isCut ? text : value;
  } catch {
    return text;
  }
}

/** `JSON.stringify` for values of any depth. */
export function writeJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof RangeError) || !isContainer(value)) throw error;
    return writeDeep(value); // which fails for the same reason where the text is too long, not too deep
  }
}

/** Some value that should have been another, for a sentence about it. */
export function inBrief(value: unknown): string {
  const text = writeJson(value) ?? "nothing";
  return text.length > LONGEST_IN_BRIEF ? `${text.slice(0, LONGEST_IN_BRIEF)}…` : text;
}
const LONGEST_IN_BRIEF = 80;

/** Writes a value from `JSON.parse` on one line; this output is not meant for people. */
function writeDeep(top: Container): string {
  const parts: string[] = [];
  const open: { readonly holder: Container; readonly keys: readonly string[]; at: number }[] = [];
  const put = (value: unknown): void => {
    if (!isContainer(value)) {
      parts.push(JSON.stringify(value) ?? "null");
      return;
    }
    parts.push(Array.isArray(value) ? "[" : "{");
    open.push({ holder: value, keys: keysOf(value), at: 0 });
  };
  put(top);
  for (let frame = open.at(-1); frame; frame = open.at(-1)) {
    const { holder, keys } = frame;
    const key = keys[frame.at];
    if (key === undefined) {
      parts.push(Array.isArray(holder) ? "]" : "}");
      open.pop();
      continue;
    }
    if (frame.at++ > 0) parts.push(",");
    if (!Array.isArray(holder)) parts.push(JSON.stringify(key), ":");
    put(memberOf(holder, key));
  }
  return parts.join("");
}

const keysOf = (holder: Container): string[] =>
  Array.isArray(holder)
    ? Array.from(holder, (_, index) => String(index))
    : Object.keys(holder).filter((key) => memberOf(holder, key) !== undefined);

/** Whether two values that `JSON.parse` gave are the same; the order of members does not count. */
export function isSameJson(one: unknown, other: unknown): boolean {
  const left: [unknown, unknown][] = [[one, other]];
  for (let pair = left.pop(); pair; pair = left.pop()) {
    const [a, b] = pair;
    if (!isContainer(a) || !isContainer(b)) {
      if (a !== b) return false;
      continue;
    }
    const keys = Object.keys(a);
    if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      left.push([memberOf(a, key), memberOf(b, key)]);
    }
  }
  return true;
}
