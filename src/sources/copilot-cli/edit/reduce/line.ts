/**
 * Shortens one line of a log: removes calls, thinking and the middle of long texts; everything else keeps its bytes.
 */

import { cutText, type Note, shortenInput } from "../../../../model/reduce/cut-text.ts";
import type { Cuts } from "../../../../model/reduce/cuts.ts";
import { memberOf } from "../../../../model/values/member.ts";
import { changeMembers } from "../../../../platform/json/members.ts";
import { asArray, asObject, asString, type JsonObject } from "../../../log/jsonl.ts";
import { type Row, THOUGHTS } from "./rows.ts";

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
  const brief: Brief = (limit, call) => (long) => {
    const short = cutText(long, limit, (left) => note(left, row.turn));
    if (short !== long && call !== undefined) tell(call);
    return short;
  };
  return findChanges(asObject(record.data) ?? {}, row, number, cuts, brief).reduce(
    (changed, { path, member, value }) => changeMembers(changed, { [member]: value }, ["data", ...path]),
    text,
  );
}

/** One member of a record's data, or of an object in it, that gets another value, or none. */
export interface Change {
  readonly path: readonly string[];
  readonly member: string;
  readonly value: unknown;
}

/** What becomes of a record's data; nothing where all of it stays. */
export function findChanges(
  data: JsonObject,
  row: Row,
  number: number,
  cuts: Cuts,
  brief: Brief,
): readonly Change[] {
  const limit = cuts.texts.get(number);
  const changes: Change[] = [];
  const change = (object: JsonObject, member: string, value: unknown, path: readonly string[]): void => {
    if (value !== memberOf(object, member)) changes.push({ path, member, value });
  };
  const shortenOutputs = (short: (text: string) => string): void => {
    for (const [object, member] of OUTPUTS) {
      const holder = asObject(data[object]) ?? {};
      const output = asString(holder[member]);
      if (output !== undefined) change(holder, member, short(output), [object]);
    }
  };
  if (cuts.thoughts.has(number)) for (const member of THOUGHTS) change(data, member, undefined, []);
  if (limit !== undefined)
    for (const member of ["content", "transformedContent", "summaryContent"] as const) {
      const said = asString(data[member]);
      if (said !== undefined) change(data, member, brief(limit)(said), []);
    }
  if (limit !== undefined && row.kind === "said") shortenOutputs(brief(limit));
  if (row.makes) change(data, "toolRequests", shortenCalls(data.toolRequests, cuts, brief), []);
  const { call } = row;
  const callLimit = call === undefined ? undefined : cuts.limits.get(call);
  if (callLimit === undefined) return changes;
  if (row.kind === "start")
    change(data, "arguments", shortenInput(data.arguments, brief(callLimit, call)), []);
  if (row.kind === "result") shortenOutputs(brief(callLimit, call));
  return changes;
}

const OUTPUTS = [
  ["result", "content"],
  ["result", "detailedContent"],
  ["error", "message"],
] as const;

/** How a text is cut to a limit; with the call that it belongs to, where it belongs to one. */
export type Brief = (limit: number, call?: string) => (text: string) => string;

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
