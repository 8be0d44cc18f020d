/** Reduces the visible answer: removes the parts of calls and thinking, and shortens long texts. */

import { shortenInput } from "../../../../model/reduce/cut-text.ts";
import { append } from "../../../../model/values/lists.ts";
import { memberOf } from "../../../../model/values/member.ts";
import { asObject, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { textOf } from "../../response/answer.ts";
import { isThought } from "./table.ts";

export type Shorten = (text: string) => string;

export interface PartCuts {
  /** Nothing stays of a part that shows a call which goes. */
  isGone(part: unknown): boolean;
  /** How what a call was given and gave is shortened, where it is. */
  shortenCall(part: JsonObject): Shorten | undefined;
  readonly dropsThoughts: boolean;
  readonly shortenText: Shorten | undefined;
}

/** The same list when nothing in it changes. Very old answers are one text. */
export function reduceParts(response: unknown, cuts: PartCuts): unknown {
  const { shortenText = same } = cuts;
  if (typeof response === "string") return shortenText(response);
  if (!Array.isArray(response)) return response;
  const kept = response.map((part) => {
    if (cuts.isGone(part) || (cuts.dropsThoughts && isThought(part))) return GONE;
    const shorten = isObject(part) ? cuts.shortenCall(part) : undefined;
    return shorten ? shortenPart(part, shorten) : part;
  });
  const short = shortenRuns(kept, shortenText).filter((part) => part !== GONE);
  return short.length === response.length && short.every((part, at) => part === response[at])
    ? response
    : short;
}

const same: Shorten = (text) => text;

/** In place of a part that goes, as texts on both sides of it are two. */
const GONE = Symbol("gone");

/** Where VS Code shows what a call was given and gave. Other texts of a part are names and places. */
function shortenPart(part: JsonObject, shorten: Shorten): JsonObject {
  const data = asObject(part.toolSpecificData);
  const details = asObject(part.resultDetails);
  return changed(part, {
    ...(data && { toolSpecificData: shortenData(data, shorten) }),
    ...(details && { resultDetails: shortenDetails(details, shorten) }),
  });
}

function shortenData(data: JsonObject, shorten: Shorten): JsonObject {
  const output = asObject(data.terminalCommandOutput);
  const text = asString(output?.text);
  return changed(data, {
    ...Object.fromEntries(
      (["rawInput", "input"] as const).flatMap((key) =>
        key in data ? [[key, shortenInput(data[key], shorten)]] : [],
      ),
    ),
    ...Object.fromEntries(
      (["output", "result", "prompt"] as const).flatMap((key) =>
        typeof data[key] === "string" ? [[key, shorten(data[key])]] : [],
      ),
    ),
    ...(output && text !== undefined && { terminalCommandOutput: changed(output, { text: shorten(text) }) }),
  });
}

function shortenDetails(details: JsonObject, shorten: Shorten): JsonObject {
  const shortenItem = (item: unknown): unknown =>
    isObject(item) && item.isText !== false && typeof item.value === "string"
      ? changed(item, { value: shorten(item.value) })
      : item;
  const output = typeof details.output === "string" ? shorten(details.output) : details.output;
  return changed(details, {
    ...("input" in details && { input: shortenInput(details.input, shorten) }),
    ...("output" in details && {
      output: Array.isArray(output) ? changedList(output, shortenItem) : output,
    }),
  });
}

/** Links stand between pieces of one sentence, so a run of texts and links is one text. */
function shortenRuns(parts: readonly unknown[], shorten: Shorten): readonly unknown[] {
  if (shorten === same) return parts;
  const short: unknown[] = [];
  for (let at = 0; at < parts.length; ) {
    let end = at;
    while (end < parts.length && textOf(parts[end]) !== undefined) end++;
    const run = parts.slice(at, end);
    const text = run.map((part) => textOf(part) ?? "").join("");
    const brief = shorten(text);
    if (brief === text) append(short, run);
    else short.push({ ...asObject(run.find(isMarkdown)), value: brief });
    if (end < parts.length) short.push(parts[end]);
    at = end + 1;
  }
  return short;
}

const isMarkdown = (part: unknown): boolean => isObject(part) && part.kind === undefined;

/** The same object when it has these values already. */
export function changed(object: JsonObject, values: JsonObject): JsonObject {
  return Object.entries(values).every(([key, value]) => memberOf(object, key) === value)
    ? object
    : { ...object, ...values };
}

export function changedList(
  list: readonly unknown[],
  change: (item: unknown) => unknown,
): readonly unknown[] {
  const items = list.map(change);
  return items.every((item, at) => item === list[at]) ? list : items;
}
