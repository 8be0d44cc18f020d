/** The chat-completions wire format, spoken by the scripted model and read back as context messages. */
import type { ServerResponse } from "node:http";
import { type Dialect, type ModelRequest, type Step, sleep, stepFor } from "./scripted-model.ts";

/** What a program asks for when it compacts is recognised by the sections it wants; this is the answer, unless its instructions hold a script. */
export const SUMMARY = [
  "<overview>\nThe work so far.\n</overview>",
  "<history>\n1. Looked around.\n</history>",
  "<work_done>\n- Read a file.\n</work_done>",
  "<technical_details>\n- Nothing special.\n</technical_details>",
  "<important_files>\n- notes.txt\n</important_files>",
  "<next_steps>\n- Go on.\n</next_steps>",
  "<checkpoint_title>Looked around</checkpoint_title>",
].join("\n");

/** A message as it went over the wire, in the shape of `ContextMessage` without what the wire does not carry. */
export interface SentMessage {
  role: "user" | "assistant" | "tool";
  text: string;
  toolCalls?: { id: string; name: string; arguments: unknown }[];
  toolCallId?: string;
}

interface WireCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}
interface WireMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string | { type: string; text?: string }[] | null;
  tool_calls?: WireCall[];
  tool_call_id?: string;
}

export const isChat = (request: ModelRequest): boolean => Array.isArray(request.body?.messages);

/** Everything the model received but the system prompt. */
export const messagesSent = (request: ModelRequest): SentMessage[] =>
  (request.body.messages as WireMessage[]).flatMap((message) =>
    message.role === "system"
      ? []
      : [
          {
            role: message.role,
            text: textOf(message.content),
            ...(message.tool_calls && { toolCalls: message.tool_calls.map(toCall) }),
            ...(message.tool_call_id !== undefined && { toolCallId: message.tool_call_id }),
          },
        ],
  );

const textOf = (content: WireMessage["content"]): string => {
  if (content === null) return "";
  if (typeof content === "string") return content;
  return content
    .map((part) => part.text ?? (part.type === "image_url" ? "[image]" : `[${part.type}]`))
    .join("");
};

const toCall = (call: WireCall) => ({
  id: call.id,
  name: call.function.name,
  arguments: parseOrKeep(call.function.arguments),
});

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a program may send on what it could not parse either
  }
}

export const openai: Dialect = {
  async respond(request, response, number) {
    if (!isChat(request)) {
      sendJson(response, 200, { object: "list", data: [{ id: "scripted", object: "model" }] });
      return;
    }
    const step = nextStep(request.body.messages);
    if (step.delayMs !== undefined) await sleep(step.delayMs);
    if (step.status !== undefined) {
      sendJson(response, step.status, {
        error: { message: "the model failed, as scripted", type: "scripted" },
      });
      return;
    }
    answer(response, step, { number, model: request.body.model, streamed: request.body.stream === true });
  },
};

function nextStep(messages: readonly WireMessage[]): Step {
  const at = messages.findLastIndex((message) => message.role === "user");
  const prompt = textOf(messages[at]?.content ?? null);
  if (prompt.includes("<overview>") && prompt.includes("<checkpoint_title>") && at === messages.length - 1)
    return stepFor(instructionsIn(prompt), 0) ?? { say: SUMMARY };
  const answers = messages.slice(at + 1).filter((message) => message.role === "assistant").length;
  return stepFor(prompt, answers) ?? { say: `Answer to message ${messages.length}.` };
}

/** What the user wants of a summary comes as XML; a script anywhere else is of the conversation. */
const instructionsIn = (prompt: string): string =>
  (/<user_focus_instructions>([\s\S]*)<\/user_focus_instructions>/.exec(prompt)?.[1] ?? "")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

interface Envelope {
  number: number;
  model: string;
  streamed: boolean;
}

function answer(response: ServerResponse, step: Step, { number, model, streamed }: Envelope): void {
  const calls = (step.calls ?? []).map(
    (call, index): WireCall => ({
      id: call.id ?? `call_${number}_${index}`,
      type: "function",
      function: {
        name: call.name,
        arguments: typeof call.input === "string" ? call.input : JSON.stringify(call.input),
      },
    }),
  );
  const finish = calls.length > 0 ? "tool_calls" : "stop";
  const used = step.usage ?? { input: 100, output: 20 };
  const usage = {
    prompt_tokens: used.input,
    completion_tokens: used.output,
    total_tokens: used.input + used.output,
  };
  const head = { id: `answer-${number}`, created: 1, model };
  const content = step.say ?? "";
  if (!streamed) {
    const message = {
      role: "assistant",
      content,
      ...(step.think !== undefined && { reasoning_content: step.think }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const choices = [{ index: 0, message, finish_reason: finish }];
    sendJson(response, 200, { ...head, object: "chat.completion", choices, usage });
    return;
  }
  response.setHeader("content-type", "text/event-stream");
  const send = (body: object): void => {
    const chunk = { ...head, object: "chat.completion.chunk", ...body };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const delta = (part: object): void => send({ choices: [{ index: 0, delta: part }] });
  if (step.think !== undefined) delta({ role: "assistant", reasoning_content: step.think });
  delta({ role: "assistant", content });
  if (calls.length > 0) delta({ tool_calls: calls.map((call, index) => ({ index, ...call })) });
  send({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  send({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}
