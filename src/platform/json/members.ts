/**
 * Reads and changes single members of a JSON object in its text, so that all other bytes stay the same, including
 * numbers that JavaScript cannot represent. If a name occurs twice, the last one counts, as for every parser. The text
 * must be valid JSON.
 */
import { writeJson } from "../../model/values/json.ts";
import { rewriteJson } from "./rewrite.ts";
import { createScanner } from "./scanner.ts";

/** Places in a text, or in bytes. */
export interface Member {
  readonly key: string;
  /** From the quote of the key to the byte after the value. */
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The names of the members before and behind a place; null where there is none. */
export type Neighbours = readonly [before: string | null, behind: string | null];

/**
 * `undefined` takes a member away; one that is not there yet is added at the end. Of a member that gets another value,
 * what is the same in both keeps its text.
 */
export function changeMembers(
  text: string,
  changes: Readonly<Record<string, unknown>>,
  path: readonly string[] = [],
): string {
  const object = objectAt(text, path);
  if (object === undefined) return text;
  let changed = text;
  for (const [key, value] of Object.entries(changes))
    changed = changeOne(changed, object, key, value === undefined ? null : (old) => toText(old, value));
  return changed;
}

const toText = (old: string | undefined, value: unknown): string =>
  old === undefined ? writeJson(value) : rewriteJson(old, value);

/** The JSON of the member that the path leads to: null where its object lacks it, nothing where there is no object. */
export function memberText(text: string, path: readonly string[]): string | null | undefined {
  const object = objectAt(text, path.slice(0, -1));
  if (object === undefined) return undefined;
  const member = membersOf(text, object).findLast(({ key }) => key === path.at(-1));
  return member ? text.slice(member.valueStart, member.end) : null;
}

/**
 * Sets a member to this JSON, or takes it away; gives nothing where there is no object to have it. A new one comes
 * between its neighbours where one of them is there, else to the end.
 */
export function changeMemberText(
  text: string,
  path: readonly string[],
  json: string | null,
  between?: Neighbours,
): string | undefined {
  const object = objectAt(text, path.slice(0, -1));
  return object === undefined ? undefined : changeOne(text, object, path.at(-1) ?? "", json, between);
}

/** Between which members one stands. */
export function neighboursOf(text: string, path: readonly string[]): Neighbours | undefined {
  const object = objectAt(text, path.slice(0, -1));
  if (object === undefined) return undefined;
  const members = membersOf(text, object);
  const index = members.findLastIndex(({ key }) => key === path.at(-1));
  return index < 0 ? undefined : [members[index - 1]?.key ?? null, members[index + 1]?.key ?? null];
}

/** All members of the objects that a path leads through, other than those on the path: each with its JSON. */
export function othersThan(text: string, path: readonly string[]): readonly string[] {
  return path.flatMap((step, depth) => {
    const object = objectAt(text, path.slice(0, depth));
    const members = object === undefined ? [] : membersOf(text, object);
    const others = members.filter(({ key }) => key !== step);
    return others.flatMap(({ key, valueStart, end }) => [String(depth), key, text.slice(valueStart, end)]);
  });
}

/** Where the object begins that the path leads to. */
function objectAt(text: string, path: readonly string[]): number | undefined {
  let at: number | undefined = skipSpace(text, text.startsWith("\ufeff") ? 1 : 0);
  for (const step of path) {
    if (text[at] !== "{") return undefined;
    at = membersOf(text, at).findLast(({ key }) => key === step)?.valueStart;
    if (at === undefined) return undefined;
  }
  return text[at] === "{" ? at : undefined;
}

function changeOne(
  text: string,
  object: number,
  key: string,
  wanted: string | null | ((old: string | undefined) => string),
  between?: Neighbours,
): string {
  const members = membersOf(text, object);
  const member = members.findLast((each) => each.key === key);
  if (wanted === null) return member ? without(text, members, key) : text;
  const json =
    typeof wanted === "string" ? wanted : wanted(member && text.slice(member.valueStart, member.end));
  if (member) return text.slice(0, member.valueStart) + json + text.slice(member.end);
  const index = placeFor(members, between);
  const added = `${JSON.stringify(key)}:${json}`;
  const [before, behind] = [members[index - 1], members[index]];
  if (before) return `${text.slice(0, before.end)},${added}${text.slice(before.end)}`;
  const first = behind?.start ?? object + 1;
  return `${text.slice(0, first)}${added}${behind ? "," : ""}${text.slice(first)}`;
}

/** All members of that name go: one that stood before the last must not take its place. */
function without(text: string, members: readonly Member[], name: string): string {
  let left = text.slice(0, members[0]?.start);
  let isFirst = true;
  for (const [index, { key, start, end }] of members.entries()) {
    if (key === name) continue;
    left += text.slice(isFirst ? start : members[index - 1]?.end, end);
    isFirst = false;
  }
  return left + text.slice(members.at(-1)?.end);
}

function placeFor(members: readonly Member[], between: Neighbours | undefined): number {
  if (!between) return members.length;
  const [before, behind] = between.map((name) => members.findLastIndex(({ key }) => key === name));
  if (before !== undefined && before >= 0) return before + 1;
  if (behind !== undefined && behind >= 0) return behind;
  return between[0] === null ? 0 : members.length;
}

/** Of the object that begins at a place of the text. */
function membersOf(text: string, object: number): Member[] {
  const bytes = Buffer.from(text.slice(object));
  const toIndex = createIndexes(bytes, object, text.length - object);
  return byteMembers(bytes).map(({ key, start, valueStart, end }) => ({
    ...{ key, start: toIndex(start), valueStart: toIndex(valueStart), end: toIndex(end) },
  }));
}

/** Of the object that the bytes are. */
export function byteMembers(bytes: Buffer): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let [key, start, valueStart] = ["", 0, 0];
  const scanner = createScanner({
    begin(at) {
      valueStart = at;
      return depth++ === 0;
    },
    end(end) {
      depth--;
      members.push({ key, start, valueStart, end });
    },
    leave: () => undefined,
    name(name, at) {
      key = name;
      start = at;
    },
    comma: () => undefined,
  });
  scanner.push(bytes);
  scanner.end();
  return members;
}

/** Where bytes are in the text, asked for one after the other. */
function createIndexes(bytes: Buffer, from: number, length: number): (at: number) => number {
  if (bytes.length === length) return (at) => from + at; // one byte for each character
  let [seen, index] = [0, from];
  return (at) => {
    index += bytes.toString("utf8", seen, at).length;
    seen = at;
    return index;
  };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}
