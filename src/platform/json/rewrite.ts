/**
 * Writes a changed value over the JSON that it was made of. What is the same in both keeps its bytes: numbers that
 * JavaScript cannot represent, unusual escapes, spaces, and members whose names occur twice.
 */
import { isSameJson, writeJson } from "../../model/values/json.ts";
import { memberOf } from "../../model/values/member.ts";
import { OPEN, OPEN_LIST, opens } from "./bytes.ts";
import { createScanner } from "./scanner.ts";

/** Places in bytes. */
export interface JsonEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Node {
  readonly key: string;
  /** Of the member, where it is one; else of the value. */
  readonly from: number;
  readonly start: number;
  end: number;
  readonly holds?: Node[];
}

/** In the order of the bytes; none where the value is the same. Nothing where the bytes are no JSON. */
export function jsonEdits(bytes: Buffer, after: unknown): readonly JsonEdit[] | undefined {
  let before: unknown;
  try {
    before = JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
  const root = outline(bytes);
  if (!root) return undefined;
  const edits: JsonEdit[] = [];
  const left: [Node, unknown, unknown][] = [[root, before, after]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [node, was, is] = next;
    if (was === is || (is === null && isBeyondNumbers(was))) continue;
    const pairs = pairUp(node, bytes, was, is);
    if (!pairs) {
      edits.push({ start: node.start, end: node.end, text: writeJson(is ?? null) });
      continue;
    }
    for (const [child, , now] of pairs.kept) if (now) left.push([child, now.was, now.is]);
    edits.push(...takeAway(node.holds ?? [], pairs.kept), ...append(node, pairs));
  }
  return edits.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** A number such as 1e400, which JavaScript writes as null. */
const isBeyondNumbers = (value: unknown): boolean => typeof value === "number" && !Number.isFinite(value);

/** The JSON of a value, with the text of the old one wherever that says the same. */
export function rewriteJson(text: string, after: unknown): string {
  const bytes = Buffer.from(text);
  const edits = jsonEdits(bytes, after);
  if (!edits) return writeJson(after);
  let [written, at] = ["", 0];
  for (const edit of edits) {
    written += bytes.toString("utf8", at, edit.start) + edit.text;
    at = edit.end;
  }
  return written + bytes.toString("utf8", at);
}

/** A part of an object or list; whether it stays; and its values, unless an equal name behind it is what counts. */
type Kept = readonly [node: Node, stays: boolean, now?: { readonly was: unknown; readonly is: unknown }];

interface Pairs {
  readonly kept: readonly Kept[];
  /** What comes behind those, as JSON. */
  readonly added: readonly string[];
}

/** Nothing where the one cannot be told as a change of the other. */
function pairUp(node: Node, bytes: Buffer, was: unknown, is: unknown): Pairs | undefined {
  if (!node.holds || typeof is !== "object" || is === null) return undefined;
  const isList = bytes[node.start] === OPEN_LIST;
  if (isList !== Array.isArray(is)) return undefined;
  return isList
    ? pairItems(node.holds, was as readonly unknown[], is as readonly unknown[])
    : pairMembers(node.holds, was as JsonMembers, is as JsonMembers);
}

type JsonMembers = Readonly<Record<string, unknown>>;

function pairMembers(nodes: readonly Node[], was: JsonMembers, is: JsonMembers): Pairs | undefined {
  const last = new Map(nodes.map((node) => [node.key, node]));
  if (last.size !== Object.keys(was).length) return undefined; // a name was not understood
  const kept = nodes.map((node): Kept => {
    const value = Object.hasOwn(is, node.key) ? memberOf(is, node.key) : undefined;
    if (value === undefined) return [node, false];
    return last.get(node.key) === node
      ? [node, true, { was: memberOf(was, node.key), is: value }]
      : [node, true];
  });
  const added = Object.entries(is).flatMap(([key, value]) =>
    last.has(key) || value === undefined ? [] : [`${JSON.stringify(key)}:${writeJson(value)}`],
  );
  return { kept, added };
}

function pairItems(
  nodes: readonly Node[],
  was: readonly unknown[],
  is: readonly unknown[],
): Pairs | undefined {
  if (nodes.length !== was.length) return undefined;
  const kept: Kept[] = [];
  let at = 0;
  for (const [index, value] of is.slice(0, was.length).entries()) {
    // As many must be left as there are values to come.
    const most = was.length - Math.max(0, Math.min(is.length, was.length) - index);
    const found = mostAlike(was, at, most, value);
    for (; at < found; at++) kept.push([nodes[at] as Node, false]);
    kept.push([nodes[at] as Node, true, { was: was[at], is: value ?? null }]);
    at++;
  }
  for (; at < nodes.length; at++) kept.push([nodes[at] as Node, false]);
  return { kept, added: is.slice(was.length).map((value) => writeJson(value ?? null)) };
}

/** Of which of these items a value was made: the first that is the same, else the one that has most in common with it. */
function mostAlike(items: readonly unknown[], from: number, to: number, value: unknown): number {
  let [best, most] = [from, -1];
  for (let at = from; at <= to && from < to; at++) {
    if (isSameJson(items[at], value)) return at;
    const common = inCommon(items[at], value);
    if (common > most) [best, most] = [at, common];
  }
  return best;
}

/** The number of members that are the same; names alone count less. */
function inCommon(one: unknown, other: unknown): number {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) return 0;
  let common = 0;
  for (const [key, value] of Object.entries(one))
    if (Object.hasOwn(other, key))
      common += isSameJson(value, memberOf(other as JsonMembers, key)) ? 1 : 0.01;
  return common;
}

/** With the comma behind it where nothing that stays is before it, else with the one before it. */
function takeAway(nodes: readonly Node[], kept: readonly Kept[]): JsonEdit[] {
  const edits: JsonEdit[] = [];
  let stays = false;
  for (const [index, [node, isKept]] of kept.entries()) {
    if (isKept) stays = true;
    else if (stays) edits.push({ start: nodes[index - 1]?.end ?? node.from, end: node.end, text: "" });
    else edits.push({ start: node.from, end: nodes[index + 1]?.from ?? node.end, text: "" });
  }
  return edits;
}

function append({ start, holds = [] }: Node, { kept, added }: Pairs): JsonEdit[] {
  if (added.length === 0) return [];
  const place = holds.at(-1)?.end ?? start + 1;
  const comma = kept.some(([, stays]) => stays) ? "," : "";
  return [{ start: place, end: place, text: comma + added.join() }];
}

/** Where each value stands. */
function outline(bytes: Buffer): Node | undefined {
  const open: Node[] = [];
  let root: Node | undefined;
  let last: Node | undefined;
  let [key, from] = ["", -1];
  const scanner = createScanner({
    begin(at, byte) {
      const isHolder = opens(byte);
      const holder = open.at(-1);
      const isMember = holder !== undefined && bytes[holder.start] === OPEN;
      const node = {
        ...{ key: isMember ? key : "", from: isMember ? from : at, start: at, end: at },
        ...(isHolder && { holds: [] }),
      };
      if (holder) holder.holds?.push(node);
      else root = node;
      if (isHolder) open.push(node);
      else last = node;
      return isHolder;
    },
    end(end) {
      if (last) last.end = end;
    },
    leave(end) {
      const node = open.pop();
      if (node) node.end = end;
    },
    name(name, at) {
      key = name;
      from = at;
    },
    comma: () => undefined,
  });
  scanner.push(bytes);
  return scanner.end() ? root : undefined;
}
