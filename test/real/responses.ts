/** The Responses wire format, spoken by the scripted model to Codex CLI. */
import type { ServerResponse } from "node:http";
import { type Dialect, type ModelRequest, type Step, sleep, stepFor } from "./scripted-model.ts";

/** One item of a conversation as it goes over the wire. */
export interface WireItem {
  readonly type: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null;
  readonly [field: string]: unknown;
}

export const isResponses = (request: ModelRequest): boolean => Array.isArray(request.body?.input);

export const textOf = (content: WireItem["content"]): string =>
  typeof content === "string"
    ? content
    : (content ?? []).map((part) => part.text ?? `[${part.type.replace(/^input_/, "")}]`).join("\n");

/** What the program asks for when it compacts, and the answer. */
const COMPACTS = "CONTEXT CHECKPOINT COMPACTION";
export const SUMMARY = "Looked around, and found notes.txt.";

export const responses: Dialect = {
  async respond(request, response, number) {
    if (!isResponses(request)) {
      sendJson(response, 404, {});
      return;
    }
    const step = nextStep(request.body.input as WireItem[]);
    if (step.delayMs !== undefined) await sleep(step.delayMs);
    if (step.status === undefined) answer(response, step, number);
    else sendJson(response, step.status, { error: { message: "the model failed, as scripted" } });
  },
};

function nextStep(items: readonly WireItem[]): Step {
  const isPrompt = ({ type, role, content }: WireItem): boolean =>
    type === "message" && role === "user" && !/^(<(?!image)|# AGENTS\.md)/.test(textOf(content));
  const at = items.findLastIndex(isPrompt);
  const prompt = textOf(items[at]?.content);
  if (prompt.includes(COMPACTS)) return { say: SUMMARY };
  // What the model made since then came in as many answers as there are runs of its own items.
  const after = items.slice(at + 1).map(({ type }) => type.endsWith("_output"));
  const answers = after.filter((isOutput, index) => isOutput && after[index + 1] !== true).length;
  return stepFor(prompt, answers) ?? { say: `Answer to item ${items.length}.` };
}

function answer(response: ServerResponse, { say, think, calls = [], usage }: Step, number: number): void {
  const items: WireItem[] = [];
  if (think !== undefined) {
    const summary = [{ type: "summary_text", text: think }];
    items.push({ type: "reasoning", id: `rs_${number}`, summary, encrypted_content: `sealed ${number}` });
  }
  if (say !== undefined) {
    const content = [{ type: "output_text", text: say }];
    items.push({ type: "message", id: `msg_${number}`, role: "assistant", content });
  }
  for (const [index, { id, name, input }] of calls.entries()) {
    const call = { id: `item_${number}_${index}`, call_id: id ?? `call_${number}_${index}`, name };
    items.push(
      typeof input === "string"
        ? { type: "custom_tool_call", ...call, input }
        : { type: "function_call", ...call, arguments: JSON.stringify(input) },
    );
  }
  response.setHeader("content-type", "text/event-stream");
  const send = (type: string, body: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`);
  };
  const id = `answer_${number}`;
  send("response.created", { response: { id } });
  for (const [output_index, item] of items.entries()) {
    send("response.output_item.added", { output_index, item });
    send("response.output_item.done", { output_index, item });
  }
  const { input, output } = usage ?? { input: 100, output: 20 };
  send("response.completed", {
    response: { id, usage: { input_tokens: input, output_tokens: output, total_tokens: input + output } },
  });
  response.end();
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}
