import { expect, it } from "vitest";
import type { Event } from "../../../model/session/session.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { read } from "../read.ts";
import { SOURCE } from "../workspace/locate.ts";

it("reads what git printed to its end, however short the reader wants to be", async () => {
  const line = (type: string, data: object, n: number): string =>
    `${JSON.stringify({ type, data, id: `0b1c0000-0000-4000-8000-00000000000${n}`, timestamp: "2026-10-01T10:00:00.000Z", parentId: null })}\n`;
  const call = (toolCallId: string, command: string): object => ({
    toolCallId,
    name: "bash",
    arguments: { command },
  });
  const output = `${"ok - passes\n".repeat(1000)}[main 1a2b3c4] x`;
  const done = (toolCallId: string): object => ({ toolCallId, success: true, result: { content: output } });
  const path = "/c/session-state/s/events.jsonl";
  const log =
    line(
      "assistant.message",
      { content: "", toolRequests: [call("a", "npm test && git commit"), call("b", "npm test")] },
      1,
    ) +
    line("tool.execution_complete", done("a"), 2) +
    line("tool.execution_complete", done("b"), 3);
  const texts: string[] = [];
  const event = (each: Event): void => void (each.kind === "tool-result" && texts.push(each.text));
  await read(
    createMemoryFs({ [path]: log }),
    { source: SOURCE, id: "s", root: "/c", path, fingerprint: { size: log.length, mtimeMs: 0, ino: 1 } },
    { event, problem: () => undefined },
    { skim: true, textLimit: 4096 },
  );
  expect(texts.map((text) => text.endsWith("[main 1a2b3c4] x"))).toEqual([true, false]);
});
