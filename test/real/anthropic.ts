/** The Messages API as far as Claude Code uses it: answers scripted steps, streamed or whole. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type Dialect, type ModelRequest, type Step, sleep, stepFor } from "./scripted-model.ts";

export interface WireBlock {
  type: string;
  [key: string]: unknown;
}
export interface WireMessage {
  role: "user" | "assistant" | "system";
  content: string | WireBlock[];
}

/** What `/compact` makes of a conversation; without it the real words of the request would have to be scripted. */
export const SUMMARY = "The user and the assistant worked through the earlier turns.";
const ASKS_FOR_SUMMARY = /detailed summary of the conversation|Respond with TEXT ONLY/;

export const blocksOf = (message: WireMessage): WireBlock[] =>
  typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;

export const textOf = (message: WireMessage): string =>
  blocksOf(message)
    .flatMap((block) => (block.type === "text" ? [String(block.text)] : []))
    .join("\n");

export const isModelCall = (request: ModelRequest): boolean => request.path === "/v1/messages";

export const anthropic: Dialect = {
  async respond(request, response) {
    if (request.path.endsWith("/count_tokens")) return json(response, 200, { input_tokens: 1000 });
    if (!isModelCall(request))
      return json(response, 404, {
        type: "error",
        error: { type: "not_found_error", message: request.path },
      });
    const step = nextStep(request.body.messages);
    if (step.delayMs !== undefined) await sleep(step.delayMs);
    if (step.status !== undefined)
      return json(response, step.status, {
        type: "error",
        error: { type: "api_error", message: "scripted" },
      });
    const content = toBlocks(step);
    const message = {
      id: newId("msg"),
      type: "message",
      role: "assistant",
      model: request.body.model,
      content,
      stop_reason: content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: step.usage?.input ?? 100, output_tokens: step.usage?.output ?? 20 },
    };
    if (request.body.stream) stream(response, message);
    else json(response, 200, message);
  },
};

/** The script stands in the newest prompt that has one; each answer since then was one step. */
function nextStep(messages: readonly WireMessage[]): Step {
  const last = messages.findLast((message) => message.role === "user");
  if (last && ASKS_FOR_SUMMARY.test(textOf(last))) return { say: `<summary>\n${SUMMARY}\n</summary>` };
  const at = messages.findLastIndex(
    (message) => message.role === "user" && textOf(message).includes("SCRIPT["),
  );
  const prompt = messages[at];
  const answers = messages.slice(at + 1).filter((message) => message.role === "assistant").length;
  return (prompt && stepFor(textOf(prompt), answers)) ?? { say: "Understood." };
}

/** Never the same twice, as rows with one message id are one reply to the program. */
const newId = (kind: string): string => `${kind}_${randomUUID().replaceAll("-", "").slice(0, 24)}`;

function toBlocks(step: Step): WireBlock[] {
  return [
    ...(step.think === undefined
      ? []
      : [{ type: "thinking", thinking: step.think, signature: newId("signature") }]),
    ...(step.say === undefined ? [] : [{ type: "text", text: step.say }]),
    ...(step.calls ?? []).map((call) => ({
      type: "tool_use",
      id: call.id ?? newId("toolu"),
      name: call.name,
      input: call.input,
    })),
  ];
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function stream(response: ServerResponse, message: { content: WireBlock[]; [key: string]: unknown }): void {
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": `req_${message.id}` });
  const send = (type: string, fields: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of message.content.entries()) {
    const { start, deltas } = toDeltas(block);
    send("content_block_start", { index, content_block: start });
    for (const delta of deltas) send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  send("message_delta", {
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: message.usage,
  });
  send("message_stop", {});
  response.end();
}

function toDeltas(block: WireBlock): { start: WireBlock; deltas: WireBlock[] } {
  switch (block.type) {
    case "text":
      return { start: { type: "text", text: "" }, deltas: [{ type: "text_delta", text: block.text }] };
    case "thinking":
      return {
        start: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          { type: "thinking_delta", thinking: block.thinking },
          { type: "signature_delta", signature: block.signature },
        ],
      };
    default:
      return {
        start: { ...block, input: {} },
        deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }],
      };
  }
}
