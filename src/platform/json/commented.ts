/**
 * JSON as people write it into settings: with comments and trailing commas. Single members are changed in the text, so
 * that every other byte stays, comments and spacing included.
 */
import { isDeepStrictEqual } from "node:util";
import { MAX_DEPTH } from "../../model/values/json.ts";

export interface CommentedMember {
  readonly key: string;
  /** Of the quote before the key. */
  readonly start: number;
  readonly value: CommentedValue;
  /** Of the comma behind it, where there is one. */
  readonly comma?: number;
}

export interface CommentedValue {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  readonly json: unknown;
  /** Only of an object; of several members with one name, the last one counts. */
  readonly members?: readonly CommentedMember[];
}

/** Where a text is not what it should be, counted from 1. */
export class NotJson extends Error {
  override readonly name = "NotJson";
  readonly line: number;
  constructor(text: string, at: number, what: string) {
    super(what);
    this.line = text.slice(0, at).split("\n").length;
  }
}

/** `strict` refuses comments and trailing commas. Throws `NotJson`. */
export function readCommented(text: string, strict = false): CommentedValue {
  let at = text.startsWith("\ufeff") ? 1 : 0;
  const fail = (what: string): never => {
    throw new NotJson(text, at, what);
  };
  const skip = (): void => {
    for (;;) {
      while (/[ \t\r\n]/.test(text[at] ?? "")) at++;
      const end = commentEnd(text, at);
      if (end === undefined) return;
      if (strict) fail("there is a comment");
      if (end < 0) fail("a comment has no end");
      at = end;
    }
  };
  const literal = (pattern: RegExp, what: string): CommentedValue => {
    pattern.lastIndex = at;
    const start = at;
    at += pattern.exec(text)?.[0].length ?? fail(what);
    return { start, end: at, json: parse(start) };
  };
  /** Alone, as it is no object and no list. */
  const parse = (start: number): unknown => {
    try {
      return JSON.parse(text.slice(start, at));
    } catch {
      at = start;
      return fail("a text has an escape that does not exist");
    }
  };
  const string = (): CommentedValue =>
    literal(STRING, "a text has no end, or holds a character that must be escaped");
  const value = (depth: number): CommentedValue => {
    if (depth > MAX_DEPTH) fail("it is nested too deeply");
    const first = text[at];
    if (first === '"') return string();
    if (first === "{") return object(depth);
    if (first === "[") return list(depth);
    return literal(OTHER, first === undefined ? "it ends too early" : "this is no value");
  };
  /** What stands between brackets, with commas between; each is told with its comma. */
  const inside = (close: string, one: () => (comma?: number) => void): number => {
    at++;
    skip();
    let isAfterComma = false;
    while (text[at] !== close) {
      const tell = one();
      skip();
      const comma = text[at] === "," ? at : undefined;
      tell(comma);
      isAfterComma = comma !== undefined;
      if (comma === undefined && text[at] !== close) fail(`a comma or ${close} is missing`);
      if (comma !== undefined) {
        at++;
        skip();
      }
    }
    if (strict && isAfterComma) fail("there is a comma too many");
    return ++at;
  };
  const object = (depth: number): CommentedValue => {
    const start = at;
    const members: CommentedMember[] = [];
    const end = inside("}", () => {
      if (text[at] !== '"') fail("a name in quotation marks is missing");
      const name = string();
      skip();
      if (text[at] !== ":") fail("a colon is missing");
      at++;
      skip();
      const own = value(depth + 1);
      const key = String(name.json);
      return (comma) =>
        members.push({ key, start: name.start, value: own, ...(comma !== undefined && { comma }) });
    });
    const json = Object.fromEntries(members.map(({ key, value: { json: own } }) => [key, own]));
    return { start, end, json, members };
  };
  const list = (depth: number): CommentedValue => {
    const start = at;
    const json: unknown[] = [];
    const end = inside("]", () => {
      json.push(value(depth + 1).json);
      return () => undefined;
    });
    return { start, end, json };
  };
  skip();
  const found = value(0);
  skip();
  if (at < text.length) fail("there is something behind its end");
  return found;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON forbids
const STRING = /"(?:[^"\\\x00-\x1f]|\\.)*"/y;
const OTHER = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/** Behind the comment that begins here; nothing where none does, and -1 where it has no end. */
function commentEnd(text: string, at: number): number | undefined {
  if (text[at] !== "/") return undefined;
  if (text[at + 1] === "/") {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
  }
  if (text[at + 1] !== "*") return undefined;
  const end = text.indexOf("*/", at + 2);
  return end < 0 ? -1 : end + 2;
}

const memberOf = ({ members }: CommentedValue, key: string): CommentedMember | undefined =>
  members?.findLast((member) => member.key === key);

/** What the path leads to; nothing where there is no such member. */
export function commentedValue(text: string, path: readonly string[]): unknown {
  let found: CommentedValue | undefined = readCommented(text);
  for (const key of path) found = found && memberOf(found, key)?.value;
  return found?.json;
}

/**
 * The same text with that member set to a value; the objects on the way are made where they are missing. A member that
 * has this value already stays as it is written.
 */
export function setCommented(text: string, path: readonly string[], json: unknown): string {
  let [object, depth] = [readCommented(text), 0];
  for (;;) {
    const key = path[depth] ?? "";
    const member = memberOf(object, key);
    const rest = path.slice(depth + 1);
    if (!object.members) throw new NotJson(text, object.start, "an object is expected here");
    if (!member) return insert(text, object, key, nested(rest, json));
    if (rest.length === 0) {
      if (isDeepStrictEqual(member.value.json, json)) return text;
      const written = write(json, text, indentAt(text, member.start));
      return text.slice(0, member.value.start) + written + text.slice(member.value.end);
    }
    [object, depth] = [member.value, depth + 1];
  }
}

const nested = (path: readonly string[], json: unknown): unknown =>
  path.reduceRight((inner, key) => ({ [key]: inner }), json);

/** The same text without that member; the same as it is where there is none. */
export function removeCommented(text: string, path: readonly string[]): string {
  let object: CommentedValue | undefined = readCommented(text);
  for (const key of path.slice(0, -1)) object = object && memberOf(object, key)?.value;
  const members = object?.members ?? [];
  const index = members.findLastIndex(({ key }) => key === path.at(-1));
  const member = members[index];
  if (!object || !member) return text;
  const from = spaceBefore(text, member.start);
  if (members.length === 1 && member.comma === undefined) {
    const [before, behind] = [
      text.slice(object.start + 1, from),
      text.slice(member.value.end, object.end - 1),
    ];
    const isEmpty = before.trim() === "" && behind.trim() === "";
    return text.slice(0, object.start + 1) + (isEmpty ? "" : before + behind) + text.slice(object.end - 1);
  }
  if (member.comma !== undefined) {
    const until = member.comma + 1;
    return text.slice(0, from) + text.slice(member.value.end, member.comma) + text.slice(until);
  }
  // The last one, and the comma that stood before it.
  const comma = members[index - 1]?.comma ?? from;
  return text.slice(0, comma) + text.slice(comma + 1, from) + text.slice(member.value.end);
}

/** Where the white space before a place begins. */
function spaceBefore(text: string, at: number): number {
  let from = at;
  while (/[ \t\r\n]/.test(text[from - 1] ?? "")) from--;
  return from;
}

function insert(text: string, object: CommentedValue, key: string, json: unknown): string {
  const last = object.members?.at(-1);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const close = object.end - 1;
  const name = JSON.stringify(key);
  if (last && !text.slice(object.start, close).includes("\n")) {
    const at = last.comma === undefined ? last.value.end : last.comma + 1;
    const comma = last.comma === undefined ? "," : "";
    return `${text.slice(0, at)}${comma} ${name}: ${JSON.stringify(json)}${text.slice(at)}`;
  }
  const around = indentAt(text, object.start);
  const indent = last ? indentAt(text, last.start) : around + unitOf(text);
  const own = `${newline}${indent}${name}: ${write(json, text, indent)}`;
  // Behind the comments that belong to the last member, or stand alone.
  const at = spaceBefore(text, close);
  if (!last) {
    const isOpen = text.slice(at, close).includes("\n");
    return `${text.slice(0, at)}${own}${isOpen ? text.slice(at, close) : newline + around}${text.slice(close)}`;
  }
  if (last.comma !== undefined) return `${text.slice(0, at)}${own},${text.slice(at)}`;
  const end = last.value.end;
  return `${text.slice(0, end)},${text.slice(end, at)}${own}${text.slice(at)}`;
}

/** The white space at the beginning of the line. */
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";

/** How this file indents: as its first indented line does. */
const unitOf = (text: string): string => /\n([ \t]+)["}/]/.exec(text)?.[1] ?? "  ";

const write = (json: unknown, text: string, indent: string): string =>
  JSON.stringify(json, null, unitOf(text)).replaceAll("\n", (text.includes("\r\n") ? "\r\n" : "\n") + indent);
