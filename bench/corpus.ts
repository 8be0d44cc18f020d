/** Makes the logs that the benchmark reads: seeded, so that two runs measure the same bytes. */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

const VOCABULARY =
  "the a of to in request server cache token parse index session file error stack trace build test retry queue worker socket buffer stream commit branch merge schema column migration render layout button click state store reducer effect".split(
    " ",
  );

/** A small seeded generator; quality does not matter, repeatability does. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function prose(random: () => number, length: number): string {
  let text = "";
  while (text.length < length)
    text += `${VOCABULARY[Math.floor(random() * VOCABULARY.length)]}${random() < 0.08 ? ".\n" : " "}`;
  return text.slice(0, length);
}

const uuid = (random: () => number): string => {
  const hex = () => Math.floor(random() * 16).toString(16);
  return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replaceAll("x", hex);
};

export interface LogShape {
  readonly seed: number;
  /** About this many bytes in all. */
  readonly bytes: number;
  /** One tool result of this many bytes, in the middle. */
  readonly longLine?: number;
}

export interface MadeLog {
  readonly turns: number;
  readonly bytes: number;
}

interface Writer {
  write(record: object): void;
  readonly bytes: number;
}

function writeLog(path: string, fill: (out: Writer) => number): MadeLog {
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, "w");
  let bytes = 0;
  const out: Writer = {
    write: (record) => {
      bytes += writeSync(fd, `${JSON.stringify(record)}\n`);
    },
    get bytes() {
      return bytes;
    },
  };
  const turns = fill(out);
  closeSync(fd);
  return { turns, bytes };
}

const timeOf = (step: number): string => new Date(Date.UTC(2026, 8, 1) + step * 1000).toISOString();

export function writeCopilotSession(home: string, shape: LogShape): MadeLog {
  const random = createRandom(shape.seed);
  const sessionId = uuid(random);
  let step = 0;
  let parentId: string | null = null;
  return writeLog(join(home, "session-state", sessionId, "events.jsonl"), (out) => {
    const put = (type: string, data: object): void => {
      const id = uuid(random);
      out.write({ type, data, id, timestamp: timeOf(step++), parentId });
      parentId = id;
    };
    put("session.start", {
      sessionId,
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "1.0.102",
      startTime: timeOf(0),
    });
    let turns = 0;
    let long = shape.longLine;
    do {
      put("user.message", { content: prose(random, 120) });
      if (turns === 0) put("system.message", { role: "system", content: prose(random, 22_000) });
      turns++;
      for (let call = 0; call < 4; call++) {
        const toolCallId = `call_${turns}_${call}`;
        const input = { command: `grep -rn ${prose(random, 12).trim()} src`, description: "Look" };
        put("assistant.turn_start", { turnId: String(call) });
        put("assistant.message", {
          messageId: uuid(random),
          content: prose(random, 80),
          toolRequests: [{ toolCallId, name: "bash", arguments: input, type: "function" }],
        });
        put("tool.execution_start", { toolCallId, toolName: "bash", arguments: input });
        const size =
          long !== undefined && out.bytes > shape.bytes / 2 ? long : 400 + Math.floor(random() * 18_000);
        if (size === long) long = undefined;
        put("tool.execution_complete", {
          toolCallId,
          success: true,
          result: { content: prose(random, size) },
        });
        put("assistant.turn_end", { turnId: String(call) });
      }
      put("assistant.message", { messageId: uuid(random), content: prose(random, 900) });
    } while (out.bytes < shape.bytes);
    return turns;
  });
}

export function writeClaudeSession(home: string, shape: LogShape): MadeLog {
  const random = createRandom(shape.seed);
  const sessionId = uuid(random);
  let step = 0;
  let parentUuid: string | null = null;
  return writeLog(join(home, "projects", "-srv-shop", `${sessionId}.jsonl`), (out) => {
    const put = (type: string, fields: object): void => {
      const id = uuid(random);
      out.write({
        parentUuid,
        isSidechain: false,
        cwd: "/srv/shop",
        sessionId,
        version: "2.1.325",
        gitBranch: "main",
        type,
        ...fields,
        uuid: id,
        timestamp: timeOf(step++),
      });
      parentUuid = id;
    };
    const reply = (id: string, content: object): void =>
      put("assistant", {
        message: {
          id,
          role: "assistant",
          model: "claude-sonnet-4-5",
          content: [content],
          usage: { input_tokens: 900, output_tokens: 40 },
        },
      });
    let turns = 0;
    let long = shape.longLine;
    do {
      put("user", { message: { role: "user", content: prose(random, 120) } });
      put("attachment", { attachment: { type: "prompt_snapshot", systemPrompt: [prose(random, 12_000)] } });
      turns++;
      for (let call = 0; call < 4; call++) {
        const callId = `toolu_${turns}_${call}`;
        reply(`msg_${turns}_${call}`, {
          type: "tool_use",
          id: callId,
          name: "Bash",
          input: { command: `rg ${prose(random, 9).trim()}` },
        });
        const size =
          long !== undefined && out.bytes > shape.bytes / 2 ? long : 400 + Math.floor(random() * 9_000);
        if (size === long) long = undefined;
        put("user", {
          message: {
            role: "user",
            content: [{ type: "tool_result", tool_use_id: callId, content: prose(random, size) }],
          },
        });
      }
      reply(`msg_${turns}_end`, { type: "text", text: prose(random, 900) });
    } while (out.bytes < shape.bytes);
    return turns;
  });
}

export function writeVscodeSession(user: string, shape: LogShape): MadeLog {
  const random = createRandom(shape.seed);
  const sessionId = uuid(random);
  const folder = join(user, "workspaceStorage", "0123456789abcdef0123456789abcdef");
  return writeLog(join(folder, "chatSessions", `${sessionId}.jsonl`), (out) => {
    const start = Date.UTC(2026, 8, 1);
    out.write({
      kind: 0,
      v: {
        version: 3,
        sessionId,
        creationDate: start,
        initialLocation: "panel",
        responderUsername: "GitHub Copilot",
        customTitle: "A long one",
        requests: [],
      },
    });
    let turns = 0;
    let long = shape.longLine;
    do {
      const text = prose(random, 120);
      const toolCallId = `call_${turns}`;
      const size =
        long !== undefined && out.bytes > shape.bytes / 2 ? long : 400 + Math.floor(random() * 18_000);
      if (size === long) long = undefined;
      out.write({
        kind: 2,
        k: ["requests"],
        v: [
          {
            requestId: `request_${turns}`,
            timestamp: start + turns * 60_000,
            message: {
              text,
              parts: [
                {
                  kind: "text",
                  text,
                  range: { start: 0, endExclusive: text.length },
                  editorRange: {
                    startLineNumber: 1,
                    startColumn: 1,
                    endLineNumber: 1,
                    endColumn: text.length + 1,
                  },
                },
              ],
            },
            variableData: { variables: [] },
            response: [],
          },
        ],
      });
      out.write({
        kind: 2,
        k: ["requests", turns, "response"],
        v: [
          {
            kind: "toolInvocationSerialized",
            toolId: "run_in_terminal",
            toolCallId,
            invocationMessage: "Run",
            isConfirmed: { type: 1 },
            isComplete: true,
            source: { type: "internal" },
          },
          { value: prose(random, 900) },
        ],
      });
      out.write({
        kind: 1,
        k: ["requests", turns, "result"],
        v: {
          metadata: {
            toolCallRounds: [
              {
                id: `round_${turns}`,
                response: "",
                toolCalls: [{ id: toolCallId, name: "run_in_terminal", arguments: "{}" }],
              },
            ],
            toolCallResults: {
              [toolCallId]: { $mid: 20, content: [{ $mid: 21, value: prose(random, size) }] },
            },
          },
        },
      });
      out.write({
        kind: 1,
        k: ["requests", turns, "modelState"],
        v: { value: 1, completedAt: start + turns * 60_000 + 9000 },
      });
      turns++;
    } while (out.bytes < shape.bytes);
    return turns;
  });
}
