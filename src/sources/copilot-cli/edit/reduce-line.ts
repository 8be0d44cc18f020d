/** One line of a log made shorter: calls, thoughts and the middle of long texts leave it, all else keeps its bytes. */
import { changeMembers } from "../../json-members.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../jsonl.ts";
import type { Cuts } from "./reduce-cuts.ts";
import { type Row, THOUGHTS } from "./reduce-rows.ts";

/** What stands in place of that which was cut, and says how to get it back. */
export type Note = (characters: number, turn: number) => string;

export const toNote =
  (id: string): Note =>
  (characters, turn) =>
    `[… ${characters} characters left out; all of it: rethread show ${id}${turn >= 0 ? ` --turn ${turn}` : ""} --full …]`;

/** The beginning and, as errors and results tend to stand there, the end. */
export function cutText(text: string, limit: number, note: (characters: number) => string): string {
  const tail = Math.floor(limit / 3);
  const [head, left] = [limit - tail, text.length - limit];
  const stub = `${text.slice(0, head).toWellFormed()}\n${note(left)}\n${text.slice(text.length - tail).toWellFormed()}`;
  return left > 0 && stub.length < text.length ? stub : text;
}

/** The line as it is to be; the same text when nothing in it changes. Tells of each call that was cut. */
export function shorten(
  text: string,
  row: Row,
  number: number,
  cuts: Cuts,
  note: Note,
  tell: (call: string) => void,
): string {
  const record = JSON.parse(text.replace(/^\ufeff/, "")) as JsonObject; // it made a row of a known kind, so it parses
  const data = asObject(record.data) ?? {};
  const brief: Brief = (limit, call) => (long) => {
    const short = cutText(long, limit, (left) => note(left, row.turn));
    if (short !== long && call !== undefined) tell(call);
    return short;
  };
  const limit = cuts.texts.get(number);
  let changed = text;
  const change = (object: JsonObject, member: string, value: unknown, path: readonly string[]): void => {
    if (value !== object[member]) changed = changeMembers(changed, { [member]: value }, path);
  };
  const shortenOutputs = (short: (text: string) => string): void => {
    for (const [object, member] of OUTPUTS) {
      const holder = asObject(data[object]) ?? {};
      const output = asString(holder[member]);
      if (output !== undefined) change(holder, member, short(output), ["data", object]);
    }
  };
  if (cuts.thinking) for (const member of THOUGHTS) change(data, member, undefined, ["data"]);
  if (limit !== undefined)
    for (const member of ["content", "transformedContent", "summaryContent"]) {
      const said = asString(data[member]);
      if (said !== undefined) change(data, member, brief(limit)(said), ["data"]);
    }
  if (limit !== undefined && row.kind === "said") shortenOutputs(brief(limit));
  if (row.makes) change(data, "toolRequests", shortenCalls(data.toolRequests, cuts, brief), ["data"]);
  const { call } = row;
  const callLimit = call === undefined ? undefined : cuts.limits.get(call);
  if (callLimit === undefined) return changed;
  if (row.kind === "start")
    change(data, "arguments", shortenInput(data.arguments, brief(callLimit, call)), ["data"]);
  if (row.kind === "result") shortenOutputs(brief(callLimit, call));
  return changed;
}

const OUTPUTS = [
  ["result", "content"],
  ["result", "detailedContent"],
  ["error", "message"],
] as const;

type Brief = (limit: number, call?: string) => (text: string) => string;

function shortenCalls(requests: unknown, cuts: Cuts, brief: Brief): unknown {
  let isSame = true;
  const kept = asArray(requests).flatMap((request) => {
    const call = asObject(request) ?? {};
    const id = asString(call.toolCallId) ?? "";
    if (cuts.calls.has(id)) {
      isSame = false;
      return [];
    }
    const limit = cuts.limits.get(id);
    const given = limit === undefined ? call.arguments : shortenInput(call.arguments, brief(limit, id));
    if (given === call.arguments) return [request];
    isSame = false;
    return [{ ...call, arguments: given }];
  });
  if (isSame) return requests;
  return kept.length > 0 ? kept : undefined;
}

/** Arguments stay what they are: an object, the JSON of one, or the text that a grammar takes. */
function shortenInput(given: unknown, brief: (text: string) => string): unknown {
  if (typeof given !== "string") return shortenStrings(given, brief);
  let parsed: unknown;
  try {
    parsed = JSON.parse(given);
  } catch {
    return brief(given); // plain text
  }
  const short = shortenStrings(parsed, brief);
  return short === parsed ? given : JSON.stringify(short);
}

/** The same object when no string in it is long. */
function shortenStrings(value: unknown, brief: (text: string) => string): unknown {
  if (typeof value === "string") return brief(value);
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  const short = entries.map(([key, each]) => [key, shortenStrings(each, brief)] as const);
  if (short.every(([, each], index) => each === entries[index]?.[1])) return value;
  return Array.isArray(value) ? short.map(([, each]) => each) : Object.fromEntries(short);
}
