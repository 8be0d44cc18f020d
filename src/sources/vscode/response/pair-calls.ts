/** Pairs each tool call that VS Code shows with the call that the model made, so that none is shown or counted twice. */
import { asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import { toolKeyOf } from "../tool-actions.ts";
import { type ModelCall, modelCallId } from "./tools.ts";

export interface Pairing {
  readonly of: ReadonlyMap<JsonObject, ModelCall>;
  /** Calls that VS Code does not show. */
  readonly hidden: readonly ModelCall[];
}

/**
 * Ids agree in newer files. Older ones gave visible calls ids of their own, and where VS Code shows more or fewer calls
 * than the model made, what a call is about, then its tool, then the order tells which belong together.
 */
export function pairCalls(shown: readonly JsonObject[], calls: readonly ModelCall[]): Pairing {
  const of = new Map<JsonObject, ModelCall>();
  const left = new Set(calls);
  let strangers: JsonObject[] = [];
  const pair = (part: JsonObject, call: ModelCall): void => {
    of.set(part, call);
    left.delete(call);
  };
  const findById = byId(calls, left);
  for (const part of shown) {
    const call = findById(asString(part.toolCallId) ?? "");
    if (call) pair(part, call);
    else if (part.subAgentInvocationId === undefined) strangers.push(part);
  }
  const pairAll = (isMatch: (part: JsonObject, call: ModelCall) => boolean): void => {
    for (const part of strangers) {
      const call = left.values().find((each) => isMatch(part, each));
      if (call) pair(part, call);
    }
    strangers = strangers.filter((part) => !of.has(part));
  };
  if (strangers.length !== left.size && strangers.length > 0 && left.size > 0) {
    const isAbout = createSubjects();
    pairAll((part, call) => isSameTool(part, call) && isAbout(part, call));
    pairAll(isSameTool);
  }
  if (strangers.length === left.size) {
    const rest = [...left];
    for (const [i, part] of strangers.entries()) pair(part, rest[i] as ModelCall);
  }
  return { of, hidden: [...left] };
}

/** Finds calls by either of their ids, in their order, each once. */
function byId(calls: readonly ModelCall[], left: ReadonlySet<ModelCall>) {
  const named = new Map<string, ModelCall[]>();
  for (const call of calls)
    for (const id of new Set([call.id, modelCallId(call.id)])) {
      const same = named.get(id);
      if (same) same.push(call);
      else named.set(id, [call]);
    }
  return (id: string): ModelCall | undefined => {
    const same = named.get(id) ?? [];
    while (same[0] && !left.has(same[0])) same.shift();
    return same[0];
  };
}

const isSameTool = (part: JsonObject, call: ModelCall): boolean =>
  call.name !== "" && toolKeyOf(asString(part.toolId) ?? "") === toolKeyOf(call.name);

/** Shorter arguments, such as a language or a line, are in many calls; of longer ones the start is enough. */
const TELLING = { least: 4, most: 500 };
/** So much of what VS Code says of a call is looked at. */
const WORDS = 20_000;

/** Whether VS Code's words for a call have one of its arguments: a command, a path, a query. */
function createSubjects(): (part: JsonObject, call: ModelCall) => boolean {
  const words = new Map<JsonObject, string>();
  const wordsOf = (part: JsonObject): string => {
    const { invocationMessage, pastTenseMessage, toolSpecificData, resultDetails } = part;
    const known =
      words.get(part) ??
      plain(
        JSON.stringify([invocationMessage, pastTenseMessage, toolSpecificData, resultDetails]).slice(
          0,
          WORDS,
        ),
      );
    words.set(part, known);
    return known;
  };
  return (part, call) =>
    isObject(call.input) &&
    Object.values(call.input).some(
      (value) =>
        typeof value === "string" &&
        value.trim().length >= TELLING.least &&
        wordsOf(part).includes(plain(JSON.stringify(value.trim().slice(0, TELLING.most)).slice(1, -1))),
    );
}

/** Paths as text and as addresses look the same then. */
const plain = (json: string): string =>
  json
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, decode)
    .replaceAll(/\\\\/g, "/")
    .toLowerCase();

function decode(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}
