/** Restores turns from the Copilot extension's transcript of a chat. */

import type { Event } from "../../../../model/session/session.ts";
import { setMember } from "../../../../model/values/member.ts";
import { uuidOf } from "../../../../model/values/stable-id.ts";
import type { JsonObject } from "../../../log/jsonl.ts";
import { toMessage } from "../../response/message.ts";

interface Round {
  readonly id: string;
  response: string;
  readonly toolCalls: { id: string; name: string; arguments: string }[];
  readonly toolInputRetry: number;
  thinking?: { id: string; text: string };
}

/** Ids are made from the session's, so that rescuing it twice gives the same turns. */
export function toRequests(id: string, events: readonly Event[]): JsonObject[] {
  const turns: Event[][] = [];
  for (const event of events) {
    if (event.kind === "prompt" || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(event);
  }
  return turns.map((turn, index) => toRequest(turn, (name) => uuidOf(`${id}/rescued/${index}/${name}`)));
}

function toRequest(events: readonly Event[], idFor: (name: string) => string): JsonObject {
  const rounds: Round[] = [];
  const results: JsonObject = {};
  const parts: JsonObject[] = [];
  let prompt = "";
  // Whatever comes after a call begins a new round of the model.
  const round = (): Round => {
    const open = rounds.at(-1);
    if (open && open.toolCalls.length === 0) return open;
    const fresh = { id: idFor(`round/${rounds.length}`), response: "", toolCalls: [], toolInputRetry: 0 };
    rounds.push(fresh);
    return fresh;
  };
  for (const [at, event] of events.entries()) {
    if (event.kind === "prompt") prompt = event.text;
    else if (event.kind === "text") {
      const open = round();
      open.response += open.response === "" ? event.text : `\n\n${event.text}`;
      parts.push({ value: event.text, supportThemeIcons: false, supportHtml: false });
    } else if (event.kind === "thinking") {
      const thinking = { id: idFor(`thinking/${at}`), text: event.text };
      round().thinking = thinking;
      parts.push({ kind: "thinking", value: event.text, id: thinking.id });
    } else if (event.kind === "tool-call") {
      const { callId, name, input } = event;
      const given = typeof input === "string" ? input : JSON.stringify(input ?? {});
      (rounds.at(-1) ?? round()).toolCalls.push({ id: callId, name, arguments: given });
      parts.push(toPart(callId, name, given, events));
    } else if (event.kind === "tool-result")
      setMember(results, event.callId, { $mid: 20, content: [{ $mid: 21, value: event.text }] });
  }
  const times = events.flatMap(({ time }) => (time === undefined ? [] : [Date.parse(time)]));
  const [started, ended] = [times[0], times.at(-1)];
  return {
    requestId: `request_${idFor("request")}`,
    ...(started !== undefined && { timestamp: started }),
    message: toMessage(prompt),
    variableData: { variables: [] },
    response: parts,
    responseId: `response_${idFor("response")}`,
    result: { metadata: { toolCallRounds: rounds, toolCallResults: results, responseId: idFor("model") } },
    modelState: { value: 1, completedAt: ended ?? 0 },
  };
}

function toPart(callId: string, name: string, input: string, events: readonly Event[]): JsonObject {
  const result = events.find((event) => event.kind === "tool-result" && event.callId === callId);
  const isError = result?.kind === "tool-result" && result.status === "failed";
  const text = result?.kind === "tool-result" ? result.text : "";
  return {
    kind: "toolInvocationSerialized",
    toolId: name,
    toolCallId: callId,
    invocationMessage: { value: `Running ${name}` },
    pastTenseMessage: { value: `Ran ${name}` },
    isConfirmed: { type: 1 },
    isComplete: true,
    source: { type: "internal", label: "Built-In" },
    resultDetails: { input, output: [{ type: "embed", isText: true, value: text }], isError },
  };
}
