/** One turn as events: the prompt, the answer, and what the program noted about it. */

import type { Attachment, Event, PromptEvent } from "../../../model/session/session.ts";
import { asksSomething } from "../../../model/session/turns.ts";
import { toUsage } from "../../../model/session/usage.ts";
import { append } from "../../../model/values/lists.ts";
import { isOddTime, toIso } from "../../../model/values/time.ts";
import { workIn } from "../../handed-work.ts";
import { asArray, asNumber, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import type { Path } from "../format/json-outline.ts";
import type { Turn } from "../format/parsed-session.ts";
import { markdown } from "../format/text.ts";
import { pathOf } from "../format/uri.ts";
import { partsOf, toAnswer } from "./answer.ts";
import type { EditingState } from "./edits.ts";
import { imageOfVariable } from "./images.ts";
import { type LateCalls, settleLate } from "./late-calls.ts";
import { notesOf } from "./notes.ts";

export interface TurnContext {
  readonly textLimit: number;
  readonly edits: EditingState["byTurn"];
  /** Give how files were changed, and what they were before. */
  readonly withEdits: boolean;
  readonly baselines?: EditingState["baselines"];
  /** Ids of the model's rounds in the turns so far; a summary names the last one that it covers. */
  readonly rounds: Set<string>;
  /** Calls of the turns so far that wait for their answer. */
  readonly late: LateCalls;
  unknown(kind: string, line: number): void;
}

/** How a turn ended, as `modelState` counts it. */
const STATE = { cancelled: 2, failed: 3 };

export function toEvents(turn: Turn, context: TurnContext): Event[] {
  const value = turn.value;
  if (!isObject(value)) return [];
  const result = asObject(value.result) ?? {};
  const metadata = asObject(result.metadata) ?? {};
  const model = modelOf(value);
  const time = endOf(value);
  const base = { ...(time !== undefined && { time }) };
  const at = (path: Path) => ({ origin: turn.originOf(path), ...base });

  const settled = settleLate(context.late, turn, partsOf(value), metadata, context.textLimit);
  const events: Event[] = [toPrompt(turn, value)];
  if (isUndone(value)) {
    const text = "This turn was undone; VS Code hides it and removes it with the next message.";
    events.push({ kind: "notice", level: "info", text, ...at([]) });
  }
  const answer = toAnswer(turn, value, {
    textLimit: context.textLimit,
    settled: settled.parts,
    late: context.late,
    withEdits: context.withEdits,
    ...(model !== undefined && { model }),
    ...base,
    unknown: (kind, path) => context.unknown(kind, turn.originOf(path).line),
  });
  append(events, context.withEdits ? withBaselines(answer, value, context) : answer);
  const shown = new Set(answer.flatMap((event) => (event.kind === "edit" ? [event.path] : [])));
  for (const { origin, ...edit } of context.edits.get(asString(value.requestId) ?? "") ?? []) {
    if (!shown.has(edit.path)) events.push({ kind: "edit", ...edit, origin, ...base });
  }
  const error = asObject(value.responseErrorDetails) ?? asObject(result.errorDetails);
  const state = asNumber(asObject(value.modelState)?.value);
  if (error) {
    const text = markdown(error.message) || "The request failed.";
    const path = asObject(value.responseErrorDetails) ? ["responseErrorDetails"] : ["result", "errorDetails"];
    events.push({ kind: "notice", level: "error", text, ...at(path) });
  } else if (state === STATE.failed) {
    events.push({ kind: "notice", level: "error", text: "The request failed.", ...at(["modelState"]) });
  } else if (state === STATE.cancelled || value.isCanceled === true) {
    const path = state === STATE.cancelled ? ["modelState"] : ["isCanceled"];
    events.push({ kind: "notice", level: "info", text: "The turn was cancelled.", ...at(path) });
  }
  for (const { about, items, at: path } of notesOf(value))
    events.push({ kind: "note", about, items, ...at(path) });
  const used = usageOf(value, result, metadata);
  if (used) events.push({ kind: "usage", ...used.usage, ...at(used.path) });
  const all = withCompaction(events, turn, metadata, context.rounds);
  // A turn without rounds counts as one round under its own id.
  context.rounds.add(asString(value.requestId) ?? "");
  // Emitted before the prompt, while the turn that made the calls is still the last one.
  return [...settled.events, ...all];
}

/** The first edit of each file that has places in it, with the file as it was before. */
function withBaselines(events: readonly Event[], value: JsonObject, { baselines }: TurnContext): Event[] {
  const files = new Map(baselines?.get(asString(value.requestId) ?? ""));
  return events.map((event) => {
    const before = event.kind === "edit" ? files.get(event.path) : undefined;
    if (event.kind !== "edit" || before === undefined || !event.edits?.[0]) return event;
    files.delete(event.path);
    const [first, ...others] = event.edits;
    return { ...event, edits: [{ ...first, before }, ...others] };
  });
}

function toPrompt(turn: Turn, value: JsonObject): PromptEvent {
  const text = promptText(value.message);
  const attachments = attachmentsOf(value, turn);
  const id = asString(value.requestId);
  const time = toIso(value.timestamp);
  return {
    kind: "prompt",
    text: text ?? "",
    origin: turn.originOf(text === undefined ? [] : ["message"]),
    ...(attachments.length > 0 && { attachments }),
    ...(id !== undefined && { id }),
    ...(time !== undefined && { time }),
    ...(isUndone(value) && { undone: true }),
    ...workIn(asObject(asObject(value.result)?.metadata)),
  };
}

const isUndone = (value: JsonObject): boolean => Boolean(value.shouldBeRemovedOnSend || value.isHidden);

const attachmentsOf = (value: JsonObject, turn?: Pick<Turn, "originOf">): Attachment[] =>
  asArray(asObject(value.variableData)?.variables).flatMap((variable, index) =>
    isObject(variable) ? [toAttachment(variable, index, turn)] : [],
  );

/** VS Code keeps every request in its list, those included that ask for nothing and so belong to the turn before. */
export const requestStartsTurn = (value: JsonObject): boolean =>
  asksSomething({ text: promptText(value.message) ?? "", attachments: attachmentsOf(value) });

/** A plain string in old files; an object with the text and where in it links and commands stand since then. */
export const promptText = (message: unknown): string | undefined =>
  asString(message) ?? (isObject(message) ? asString(message.text) : undefined);

function toAttachment(variable: JsonObject, index: number, turn?: Pick<Turn, "originOf">): Attachment {
  const path = pathOf(variable.value) ?? pathOf(variable.uri);
  const image = turn && imageOfVariable(variable, turn.originOf, ["variableData", "variables", index]);
  return {
    kind: asString(variable.kind) ?? "generic",
    name: asString(variable.name) ?? asString(variable.id) ?? "",
    ...(path !== undefined && typeof variable.value !== "string" && { path }),
    ...(image && { image }),
  };
}

/** `copilot/<model>`: the vendor's name in front is the same for all. */
export const modelOf = (value: JsonObject): string | undefined =>
  asString(value.modelId)?.replace(/^copilot\//, "") || undefined;

/** When the turn was finished, if recorded. */
export function endOf(value: JsonObject): string | undefined {
  const started = asNumber(value.timestamp);
  const elapsed =
    asNumber(value.elapsedMs) ?? asNumber(asObject(asObject(value.result)?.timings)?.totalElapsed);
  const summed = started === undefined ? undefined : started + (elapsed ?? 0);
  return toIso(asNumber(asObject(value.modelState)?.completedAt)) ?? toIso(summed);
}

/** Whether a turn names a time that cannot be true. */
export const hasOddTime = (value: JsonObject): boolean =>
  isOddTime(value.timestamp) || isOddTime(asObject(value.modelState)?.completedAt);

/** Tokens and times of the whole turn: VS Code does not tell its model calls apart. */
function usageOf(value: JsonObject, result: JsonObject, metadata: JsonObject) {
  const own = value.promptTokens !== undefined || value.completionTokens !== undefined;
  const input = asNumber(own ? value.promptTokens : metadata.promptTokens);
  const output = asNumber(own ? value.completionTokens : metadata.outputTokens);
  if (input === undefined && output === undefined) return undefined;
  const key = input !== undefined ? "promptTokens" : own ? "completionTokens" : "outputTokens";
  const timings = asObject(result.timings);
  const details = asArray(value.promptTokenDetails);
  return {
    path: own ? [key] : ["result", "metadata", key],
    usage: toUsage({
      model: modelOf(value),
      input,
      output,
      durationMs: asNumber(timings?.totalElapsed),
      firstTokenMs: asNumber(timings?.firstProgress),
      details: details.length > 0 ? JSON.stringify(details) : undefined,
    }),
  };
}

/** A summary of rounds in earlier turns was made before this prompt was sent, so it stands before it. */
function withCompaction(events: Event[], turn: Turn, metadata: JsonObject, earlier: Set<string>): Event[] {
  const before: Event[] = [];
  const after: Event[] = [];
  const summary = asObject(metadata.summary);
  const parsed = asString(summary?.text);
  if (parsed !== undefined) {
    const covers = asString(summary?.toolCallRoundId) ?? "";
    const origin = turn.originOf(["result", "metadata", "summary"]);
    (earlier.has(covers) ? before : after).push({ kind: "compaction", summary: parsed, origin });
  }
  for (const [i, round] of asArray(metadata.toolCallRounds).entries()) {
    if (!isObject(round)) continue;
    earlier.add(asString(round.id) ?? "");
    const own = asString(round.summary);
    if (own === undefined || own === parsed) continue;
    const origin = turn.originOf(["result", "metadata", "toolCallRounds", i, "summary"]);
    after.push({ kind: "compaction", summary: own, origin });
  }
  return [...before, ...events, ...after];
}
