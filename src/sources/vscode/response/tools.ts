/** Tool calls of one turn: what VS Code shows of them, joined with what the extension keeps for the model. */
import { parseOrText } from "../../../model/values/json.ts";
import { memberOf } from "../../../model/values/member.ts";
import { asArray, asNumber, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import type { Path } from "../format/json-outline.ts";
import { detailsText, markdown, toolResultText } from "../format/text.ts";
import { pathOf } from "../format/uri.ts";

/** A call as the model made it. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly result: string | undefined;
  /** Where in the turn. */
  readonly at: Path;
}

export interface ToolOutcome {
  readonly status: "ok" | "failed" | "interrupted";
  readonly text: string;
  readonly durationMs?: number;
}

/** VS Code makes ids unique with a suffix that the model never sees. */
export const modelCallId = (id: string): string => id.split("__vscode-")[0] ?? id;

export const isToolPart = (part: JsonObject): boolean => part.kind === "toolInvocationSerialized";

/** The full result of a call among those that the extension keeps of a turn. */
export const resultOf = (results: JsonObject, id: string): string | undefined =>
  Object.hasOwn(results, id) ? toolResultText(memberOf(results, id)) : undefined;

/** Every call in the extension's data, in order. */
export function modelCalls(metadata: JsonObject): ModelCall[] {
  const results = asObject(metadata.toolCallResults) ?? {};
  return asArray(metadata.toolCallRounds).flatMap((round, r) =>
    asArray(isObject(round) ? round.toolCalls : undefined).flatMap((call, c): ModelCall[] => {
      if (!isObject(call) || typeof call.id !== "string") return [];
      const at = ["result", "metadata", "toolCallRounds", r, "toolCalls", c];
      const result = resultOf(results, call.id);
      return [{ id: call.id, name: asString(call.name) ?? "", input: toInput(call.arguments), result, at }];
    }),
  );
}

/** Arguments are JSON text; what does not parse is shown as it stands. */
export function toInput(text: unknown): unknown {
  if (typeof text !== "string") return text ?? {};
  return text.trim() === "" ? {} : parseOrText(text);
}

/** What VS Code shows of the call's input, when the extension's data does not tell. */
export function shownInput(part: JsonObject): unknown {
  const data = asObject(part.toolSpecificData) ?? {};
  const details = asObject(part.resultDetails) ?? {};
  if (data.kind === "terminal") {
    const line = asObject(data.commandLine) ?? {};
    return { command: line.userEdited ?? line.toolEdited ?? line.original ?? data.command ?? "" };
  }
  if (data.kind === "subagent") return { prompt: data.prompt ?? "", description: data.description ?? "" };
  if (data.rawInput !== undefined) return data.rawInput;
  return toInput(data.input ?? details.input);
}

/** How the call ended. */
export function outcomeOf(part: JsonObject, call: ModelCall | undefined): ToolOutcome {
  const text = call?.result ?? shownResult(part);
  if (isRefused(part.isConfirmed) || part.isComplete === false) {
    return { status: "interrupted", text: text ?? "" };
  }
  const durationMs = asNumber(terminalState(part)?.duration);
  return {
    status: hasFailed(part, text) ? "failed" : statusOfText(text),
    text: text ?? "",
    ...(durationMs !== undefined && { durationMs }),
  };
}

/** How a command ended; of other tools VS Code keeps no times. */
const terminalState = (part: JsonObject): JsonObject | undefined =>
  asObject(asObject(part.toolSpecificData)?.terminalCommandState);

export const statusOfText = (text: string | undefined): ToolOutcome["status"] => {
  if (text?.startsWith("ERROR while calling tool:")) return "failed";
  return text === "The user cancelled the tool call." ? "interrupted" : "ok";
};

function hasFailed(part: JsonObject, text: string | undefined): boolean {
  const exit = terminalState(part)?.exitCode;
  return (
    asObject(part.resultDetails)?.isError === true ||
    (typeof exit === "number" && exit !== 0) ||
    statusOfText(text) === "failed"
  );
}

/** 0 is denied and 5 skipped; before 1.104 it was a plain boolean. */
const isRefused = (confirmed: unknown): boolean =>
  confirmed === false || (isObject(confirmed) && (confirmed.type === 0 || confirmed.type === 5));

function shownResult(part: JsonObject): string | undefined {
  const data = asObject(part.toolSpecificData) ?? {};
  const output = asObject(data.terminalCommandOutput);
  if (typeof output?.text === "string") return output.text;
  if (typeof data.result === "string") return data.result;
  if (typeof data.output === "string") return data.output;
  if (Array.isArray(part.resultDetails))
    return part.resultDetails.map((found) => pathOf(found) ?? "").join("\n");
  return detailsText(part.resultDetails);
}

/** VS Code's own line about the call. */
export const labelOf = (part: JsonObject): string | undefined =>
  markdown(part.pastTenseMessage) || markdown(part.invocationMessage) || undefined;
