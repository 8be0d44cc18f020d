import { expect, it } from "vitest";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { readTranscript } from "./transcript.ts";

const line = (type: string, data: object, id: string): string =>
  `${JSON.stringify({ type, data, id, timestamp: "2026-06-03T09:00:00.000Z", parentId: null })}\n`;

it("tells prompts, thoughts, answers and calls, each call once", async () => {
  const request = { toolCallId: "c1", name: "run", arguments: '{"x":1}', type: "function" };
  const text = [
    line("session.start", { sessionId: "s", copilotVersion: "0.67.0" }, "1"),
    line("user.message", { content: "hi", attachments: [] }, "2"),
    line("assistant.turn_start", { turnId: "0.0" }, "3"),
    line("assistant.message", { content: "ok", reasoningText: "hm", toolRequests: [request] }, "4"),
    line("tool.execution_start", { toolCallId: "c1", toolName: "run", arguments: { x: 1 } }, "5"),
    line("tool.execution_complete", { toolCallId: "c1", success: false, result: { content: "abcdef" } }, "6"),
    line("tool.execution_start", { toolCallId: "c2", toolName: "other", arguments: {} }, "7"),
    "{torn",
  ].join("");
  const { events, faults, producer } = await readTranscript(createMemoryFs({ "/t": text }), "/t", {
    maxLine: 1000,
    textLimit: 4,
  });
  expect(producer).toBe("0.67.0");
  expect(
    events.map(({ origin, time: _time, id: _id, ...event }) => ({ line: origin.line, ...event })),
  ).toEqual([
    { line: 2, kind: "prompt", text: "hi" },
    { line: 4, kind: "thinking", text: "hm" },
    { line: 4, kind: "text", text: "ok" },
    { line: 4, kind: "tool-call", callId: "c1", name: "run", input: { x: 1 } },
    { line: 6, kind: "tool-result", callId: "c1", status: "failed", text: "abcd", cut: 2 },
    { line: 7, kind: "tool-call", callId: "c2", name: "other", input: {} },
  ]);
  expect(faults).toEqual([
    {
      code: "record-torn",
      line: 8,
      message: "in the transcript, the last line stops in the middle of a record",
    },
  ]);
});
