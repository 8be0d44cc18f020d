/** Converts the output of `--output-format json` to conversation events; other lines are ignored. */
import type { ChatEvent, ChatUsage } from "../../../model/chat.ts";
import {
  aboutTo,
  countAs,
  type Fields,
  notice,
  parseRecord,
  saying,
  sessionIn,
} from "../../driver-records.ts";
import { asNumber, asObject, asString } from "../../log/jsonl.ts";
import type { Role } from "../log/event-type.ts";
import { roleOf } from "../log/event-types.ts";

/** What a helper of the model says is for the model; its tools are shown, as they take time. */
const OF_HELPERS: readonly Role[] = ["call-start", "result", "usage-count"];

/** One for each run: whether a message has come in pieces already is remembered. */
export function createStream(): (line: string) => ChatEvent[] {
  const streamed = new Set<string>();
  const names = new Map<string, string>();
  let isOver = false;
  const text = (message: string, piece: unknown): ChatEvent[] =>
    typeof piece === "string" && piece !== "" ? [{ kind: "text", message, text: piece }] : [];

  const readers: Partial<Record<Role, (data: Fields) => ChatEvent[]>> = {
    "text-delta": (data) => {
      const message = asString(data.messageId) ?? "";
      streamed.add(message);
      return text(message, data.deltaContent);
    },
    answer: (data) => {
      const message = asString(data.messageId) ?? "";
      return streamed.has(message) ? [] : text(message, data.content);
    },
    "thought-delta": ({ deltaContent }) =>
      typeof deltaContent === "string" ? [{ kind: "thinking", text: deltaContent }] : [],
    "call-start": (data) => {
      const call = asString(data.toolCallId) ?? "";
      const name = asString(data.toolName) ?? "";
      names.set(call, name);
      return [
        {
          kind: "tool",
          call,
          name,
          state: "began",
          ...saying(aboutTo(data.arguments) ?? asString(data.toolTitle)),
        },
      ];
    },
    result: (data) => {
      const call = asString(data.toolCallId) ?? "";
      const isDone = data.success === true;
      return [
        {
          kind: "tool",
          call,
          name: names.get(call) ?? "",
          state: isDone ? "done" : "failed",
          ...(isDone ? {} : saying(asString(asObject(data.error)?.message))),
        },
      ];
    },
    "usage-count": (data) => {
      const usage: ChatUsage = {
        ...countAs("inputTokens", data.inputTokens),
        ...countAs("outputTokens", data.outputTokens),
      };
      return Object.keys(usage).length === 0 ? [] : [{ kind: "usage", usage }];
    },
    error: ({ message }) => notice(message, true),
    warning: ({ message }) => notice(message, false),
    info: ({ message }) => notice(message, false),
  };
  /** The last line, which is no event of the session. */
  const end = (record: Fields): ChatEvent[] => {
    const usage = asObject(record.usage) ?? {};
    const code = asNumber(record.exitCode);
    const session = asString(record.sessionId) ?? "";
    // The first one counts, and one that says neither how it ended nor where is none.
    if (isOver || (code === undefined && session === "")) return [];
    isOver = true;
    return [
      {
        kind: "end",
        cliSession: sessionIn(session),
        ...((code ?? 0) !== 0 && { isFailed: true }),
        usage: {
          ...countAs("premiumRequests", usage.premiumRequests),
          ...countAs("apiMs", usage.totalApiDurationMs),
        },
      },
    ];
  };

  return (line) => {
    const record = parseRecord(line);
    if (!record) return [];
    const type = asString(record.type) ?? "";
    if (type === "result") return record.agentId === undefined ? end(record) : [];
    const role = roleOf(type);
    if (!role || (record.agentId !== undefined && !OF_HELPERS.includes(role))) return [];
    return readers[role]?.(asObject(record.data) ?? {}) ?? [];
  };
}
