/** Made-up conversations with every kind of prompt, and the files that each agent would keep of them. */
import fc from "fast-check";
import { toKeyValueDb } from "../src/platform/sqlite/key-value-db.ts";
import { writeTranscript } from "./real/claude-rows.ts";

export type Step =
  | { readonly does: "ask"; readonly text: string; readonly attached: boolean }
  | { readonly does: "answer" | "call" | "agent" | "command" | "compact" };

/** A prompt without words, and one without anything. */
const ask = (text: string, attached: boolean): Step => ({ does: "ask", text, attached });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(ask("Look into it", false)) },
  { weight: 2, arbitrary: fc.constantFrom("", " \n").map((text) => ask(text, true)) },
  { weight: 2, arbitrary: fc.constantFrom("", "  ").map((text) => ask(text, false)) },
  { weight: 1, arbitrary: fc.constant(ask("With a file", true)) },
  { weight: 4, arbitrary: fc.constant<Step>({ does: "answer" }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Step>(
      { does: "call" },
      { does: "agent" },
      { does: "command" },
      { does: "compact" },
    ),
  },
);
export const conversations: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: 1, maxLength: 14 });

/** One of each kind of prompt, in the order that parted the index from the page. */
export const PROMPTS: readonly Step[] = [
  ask("First things first", false),
  { does: "answer" },
  ask("", true),
  { does: "answer" },
  ask("  ", false),
  { does: "answer" },
  ask("And finally", false),
  { does: "answer" },
];

/** The answer to a step, which no other step has. */
export const answerTo = (at: number): string => `answer${at}word`;

const idOf = (number: number, kind: string): string =>
  `${kind}0000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;

type Files = Record<string, string | Uint8Array>;
const toLines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");
const timeOf = (at: number): string => new Date(Date.UTC(2026, 10, 1, 10, 0, at)).toISOString();

export const copilotId = (number: number): string => idOf(number, "c0de");

/** Below the home of Copilot CLI. */
export function copilotFiles(number: number, steps: readonly Step[]): Files {
  const id = copilotId(number);
  const records: object[] = [];
  let parentId: string | null = null;
  const add = (at: number, type: string, data: object, agentId?: string): void => {
    const record = { type, data, ...(agentId && { agentId }), id: idOf(records.length, "fee1") };
    records.push({ ...record, timestamp: timeOf(at), parentId });
    parentId = record.id;
  };
  const call = (at: number, callId: string, toolName: string, args: object, inside?: () => void): void => {
    const request = { toolCallId: callId, name: toolName, arguments: args };
    const message = { messageId: `m${at}`, content: "", model: "gpt-5.4", toolRequests: [request] };
    add(at, "assistant.message", message);
    add(at, "tool.execution_start", { toolCallId: callId, toolName, arguments: args });
    inside?.();
    const result = { content: `output${at}word` };
    add(at, "tool.execution_complete", { toolCallId: callId, success: true, result });
  };
  const says = (content: string): object => ({
    messageId: `m${records.length}`,
    content,
    model: "gpt-5.4",
    toolRequests: [],
  });
  const startTime = timeOf(0);
  const context = { cwd: "/srv/shop" };
  const start = { sessionId: id, version: 1, producer: "copilot-agent", copilotVersion: "1.0.102" };
  add(0, "session.start", { ...start, startTime, context });
  for (const [at, made] of steps.entries()) {
    const callId = `call_${at}`;
    if (made.does === "ask")
      add(at, "user.message", {
        content: made.text,
        attachments: made.attached ? [{ type: "file", path: "/srv/shop/a.png", displayName: "a.png" }] : [],
      });
    else if (made.does === "answer") add(at, "assistant.message", says(answerTo(at)));
    else if (made.does === "call") call(at, callId, "bash", { command: `echo ${at}` });
    else if (made.does === "command") {
      const args = { command: `git log -${at}` };
      add(at, "tool.user_requested", { toolCallId: callId, toolName: "bash", arguments: args });
      const result = { content: "clean" };
      add(at, "tool.execution_complete", {
        toolCallId: callId,
        success: true,
        isUserRequested: true,
        result,
      });
    } else if (made.does === "agent") {
      const agent = `agent-${at}`;
      call(at, callId, "task", { prompt: "Find it" }, () => {
        const about = { toolCallId: callId, agentName: "explore", agentDisplayName: "Explore" };
        add(at, "subagent.started", { ...about, agentDescription: "Finds" }, agent);
        add(at, "user.message", { content: "Find it", attachments: [] }, agent);
        add(at, "assistant.message", says("Found it"), agent);
        add(at, "subagent.completed", about, agent);
      });
    } else
      add(at, "session.compaction_complete", {
        success: true,
        summaryContent: `<overview>\nsummary${at}word\n</overview>`,
      });
  }
  return {
    [`session-state/${id}/events.jsonl`]: toLines(records),
    [`session-state/${id}/workspace.yaml`]: `id: ${id}\ncwd: /srv/shop\ncreated_at: ${startTime}\nupdated_at: ${startTime}\n`,
  };
}

export const claudeId = (number: number): string => idOf(number, "c1a0");
const IMAGE = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };

/** Below the home of Claude Code. */
export function claudeFiles(number: number, steps: readonly Step[]): Files {
  const id = claudeId(number);
  const folder = `projects/-srv-shop/${id}`;
  const files: Files = {};
  const t = writeTranscript();
  const answered = (callId: string, more: object = {}): void => void t.result(callId, { ...more });
  let isCompacted = false;
  for (const [at, made] of steps.entries()) {
    const callId = `toolu_${at}`;
    if (made.does === "ask") {
      const blocks = [
        ...(made.text === "" ? [] : [{ type: "text", text: made.text }]),
        ...(made.attached ? [IMAGE] : []),
      ];
      // Every third one is typed while the agent works.
      if (at % 3 === 0 && blocks.length > 0) {
        const attachment = { type: "queued_command", commandMode: "prompt", prompt: blocks };
        t.row({ type: "attachment", attachment });
      } else t.prompt(made.attached ? blocks : made.text);
    } else if (made.does === "answer") t.answer(answerTo(at));
    else if (made.does === "call") {
      t.call(callId);
      answered(callId);
    } else if (made.does === "agent") {
      const input = { description: "Find", prompt: "Find it" };
      t.answer([{ type: "tool_use", id: callId, name: "Task", input }]);
      answered(callId, { toolUseResult: { status: "completed", agentId: `a${at}` } });
      const agent = writeTranscript();
      agent.prompt("Find it", { isSidechain: true, agentId: `a${at}` });
      agent.answer("Found it", { isSidechain: true, agentId: `a${at}` });
      files[`${folder}/subagents/agent-a${at}.jsonl`] = agent.text();
    } else if (made.does === "command") {
      t.prompt("<command-name>/cost</command-name>");
      t.prompt("<local-command-stdout>12 $</local-command-stdout>");
    } else if (!isCompacted) {
      t.compact();
      isCompacted = true;
    }
  }
  return { ...files, [`${folder}.jsonl`]: t.text() };
}

export const vsCodeId = (number: number): string => idOf(number, "5c0d");
const WORKSPACE = "workspaceStorage/0123456789abcdef0123456789abcdef";

/** Below VS Code's user folder, for a number of chats in one workspace. */
export function vsCodeFiles(chats: readonly (readonly Step[])[]): Files {
  const entries = Object.fromEntries(
    chats.map((_, number) => {
      const entry = { sessionId: vsCodeId(number), title: `Chat ${number}`, lastMessageDate: 1 };
      return [vsCodeId(number), { ...entry, isEmpty: false, initialLocation: "panel", lastResponseState: 1 }];
    }),
  );
  return {
    [`${WORKSPACE}/workspace.json`]: '{"folder":"file:///srv/shop"}',
    [`${WORKSPACE}/state.vscdb`]: toKeyValueDb("ItemTable", {
      "chat.ChatSessionStore.index": JSON.stringify({ version: 1, entries }),
    }),
    ...Object.fromEntries(
      chats.map((steps, number) => [
        `${WORKSPACE}/chatSessions/${vsCodeId(number)}.jsonl`,
        chatLog(vsCodeId(number), steps),
      ]),
    ),
  };
}

/** All that follows a prompt is in one request, and so is what precedes the first. */
function chatLog(sessionId: string, steps: readonly Step[]): string {
  const requests = toRequests(steps);
  const head = { version: 3, sessionId, creationDate: Date.parse(timeOf(0)), customTitle: "Made up" };
  const initial = { ...head, responderUsername: "GitHub Copilot", initialLocation: "panel" };
  const half = Math.ceil(requests.length / 2);
  return toLines([
    { kind: 0, v: { ...initial, requests: requests.slice(0, half) } },
    ...requests.slice(half).map((request) => ({ kind: 2, k: ["requests"], v: [request] })),
  ]);
}

interface Request {
  readonly requestId: string;
  readonly response: object[];
  readonly result: { readonly metadata: Record<string, unknown> };
}

function toRequests(steps: readonly Step[]): Request[] {
  const requests: Request[] = [];
  const open = (at: number, text: string, attached: boolean): Request => {
    const range = { start: 0, endExclusive: text.length };
    const file = { kind: "file", id: "a", name: "a.png", value: { $mid: 1, scheme: "file", path: "/a.png" } };
    const request = {
      requestId: `request_${at}`,
      timestamp: Date.parse(timeOf(at)),
      message: { text, parts: [{ kind: "text", text, range }] },
      variableData: { variables: attached ? [file] : [] },
      response: [],
      modelState: { value: 1, completedAt: Date.parse(timeOf(at)) + 500 },
      result: { metadata: {} },
    };
    requests.push(request);
    return request;
  };
  for (const [at, made] of steps.entries()) {
    if (made.does === "ask") {
      open(at, made.text, made.attached);
      continue;
    }
    if (made.does === "command") {
      open(at, "/explain", false);
      continue;
    }
    const request = requests.at(-1) ?? open(at, "Begin", false);
    const say = (value: string): void => void request.response.push({ value });
    if (made.does === "answer") say(`${answerTo(at)}\n\n`);
    else if (made.does === "compact")
      request.result.metadata.summary = {
        toolCallRoundId: requests.at(-2)?.requestId ?? request.requestId,
        text: `summary${at}word`,
      };
    else
      request.response.push({
        kind: "toolInvocationSerialized",
        toolCallId: `call_${at}`,
        toolId: made.does === "agent" ? "runSubagent" : "copilot_runInTerminal",
        invocationMessage: "Ran it",
        isConfirmed: true,
        isComplete: true,
        ...(made.does === "agent" && {
          toolSpecificData: { kind: "subagent", prompt: "Find it", description: "Find", result: "Found it" },
        }),
      });
  }
  return requests;
}
