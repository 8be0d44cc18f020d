import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { artifact, readFrom, readLog, record, start, toLog } from "../../../test/copilot-log.ts";
import { toTurns } from "../../model/session/turns.ts";
import { localFs } from "../../platform/fs/local.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { read } from "./read.ts";

describe("the events of a Copilot CLI log", () => {
  it("gives thoughts, text and calls of one answer in order, and results with their edits", async () => {
    const log = toLog(
      start,
      record("user.message", { content: "Go" }),
      record("assistant.message", {
        messageId: "m",
        content: "I will.",
        reasoningText: "Hm.",
        toolRequests: [
          { toolCallId: "t1", name: "edit", arguments: '{"path":"/srv/a"}', intentionSummary: "edit a" },
          { toolCallId: "t2", name: "bash", arguments: { command: "false" } },
        ],
      }),
      record("tool.execution_complete", {
        toolCallId: "t1",
        success: true,
        result: { content: "edited" },
        fileEdits: [{ path: "/srv/a", kind: "edit" }],
        toolTelemetry: { metrics: { linesAdded: 2, linesRemoved: 1 } },
      }),
      record("tool.execution_complete", {
        toolCallId: "t2",
        success: true,
        shellExecution: { exitCode: 1 },
        result: { content: "no" },
      }),
    );

    const { events } = await readLog(log);

    const told = events.map(({ origin, time: _, id: __, ...rest }) => ({
      line: origin.line,
      at: origin.at,
      ...rest,
    }));
    expect(told).toEqual([
      { line: 2, kind: "prompt", text: "Go" },
      { line: 3, kind: "thinking", text: "Hm." },
      { line: 3, kind: "text", text: "I will." },
      {
        line: 3,
        at: ["data", "toolRequests", 0],
        kind: "tool-call",
        callId: "t1",
        name: "edit",
        input: { path: "/srv/a" },
        label: "edit a",
      },
      {
        line: 3,
        at: ["data", "toolRequests", 1],
        kind: "tool-call",
        callId: "t2",
        name: "bash",
        input: { command: "false" },
      },
      { line: 4, kind: "tool-result", callId: "t1", status: "ok", text: "edited" },
      { line: 4, at: ["data", "fileEdits", 0], kind: "edit", path: "/srv/a", added: 2, removed: 1 },
      { line: 5, kind: "tool-result", callId: "t2", status: "failed", text: "no", exitCode: 1 },
    ]);
  });

  it("hangs the work of a sub-agent on the call that started it", async () => {
    const agent = { agentId: "agent-1" };
    const log = toLog(
      start,
      record("user.message", { content: "Delegate" }),
      record("assistant.message", {
        messageId: "m",
        content: "",
        toolRequests: [{ toolCallId: "t1", name: "task" }],
      }),
      record(
        "subagent.started",
        { toolCallId: "t1", agentName: "a", agentDisplayName: "A", agentDescription: "" },
        agent,
      ),
      record("user.message", { content: "Look" }, agent),
      record("assistant.message", { messageId: "n", content: "Found." }, agent),
      record("tool.execution_complete", { toolCallId: "t1", success: true, result: { content: "Found." } }),
    );

    const { session, events } = await readLog(log);

    expect(session.turns).toBe(1);
    expect(events.filter((event) => event.agent === "t1").map(({ kind }) => kind)).toEqual([
      "prompt",
      "text",
    ]);
  });

  it("keeps the beginning of long results, and says how much is missing", async () => {
    const log = toLog(
      start,
      record("assistant.message", {
        messageId: "m",
        content: "",
        toolRequests: [{ toolCallId: "t1", name: "bash" }],
      }),
      record("tool.execution_complete", {
        toolCallId: "t1",
        success: true,
        result: { content: "x".repeat(100) },
      }),
    );
    const { events } = await readLog(log, {}, { textLimit: 30 });
    expect(events.at(-1)).toMatchObject({ kind: "tool-result", text: "x".repeat(30), cut: 70 });
  });

  it("shrinks a huge line instead of holding it, and still counts its turn", async () => {
    const root = mkdtempSync(join(tmpdir(), "rethread-read-"));
    try {
      const path = join(root, "events.jsonl");
      writeFileSync(
        path,
        toLog(start, record("user.message", { content: `Explain ${"x".repeat(9 << 20)}` })),
      );
      const { session, events, problems } = await readFrom(localFs, {}, { ...artifact, path });
      expect(session.turns).toBe(1);
      expect(events[0]).toMatchObject({ kind: "prompt", text: expect.stringMatching(/^Explain x{1000}/) });
      expect(events[0]?.cut).toBeGreaterThan(8 << 20);
      expect(problems).toMatchObject([
        { code: "too-large", line: 2, message: "a record of 9 MB; its text was cut" },
      ]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it("is not led astray by types that are names of something else", async () => {
    const lines = ["constructor", "__proto__", "toString"].map((type) =>
      JSON.stringify(record(type, { a: "ÿ" })),
    );
    const log = Buffer.concat([Buffer.from(toLog(start, ...lines)), Buffer.from(toLog(...lines), "latin1")]);
    const { events, problems } = await readLog(log);
    expect(events).toEqual([]);
    expect(problems.map(({ code }) => code)).toEqual([
      ...Array(3).fill("record-unknown"),
      ...Array(3).fill("record-encoding"),
    ]);
  });

  it("takes a checkpoint's title from its summary, else from the index beside the log", async () => {
    const done = (summaryContent: string, checkpointNumber: number) =>
      record("session.compaction_complete", { success: true, summaryContent, checkpointNumber });
    const log = toLog(start, done("One.<checkpoint_title>In the log</checkpoint_title>", 1), done("Two.", 2));
    const files = {
      "workspace.yaml": "summary_count: 2\n",
      "checkpoints/index.md":
        "| # | Title | File |\n| 1 | Not this | 001.md |\n| 2 | In the index | 002.md |\n",
    };
    const { events } = await readLog(log, files);
    expect(events).toMatchObject([
      { kind: "compaction", summary: "One.", title: "In the log", checkpoint: 1 },
      { kind: "compaction", summary: "Two.", title: "In the index", checkpoint: 2 },
    ]);
  });

  it("does not take a defect of its caller for a damaged session", async () => {
    const fs = createMemoryFs({ [artifact.path]: toLog(start, record("user.message", { content: "Hi" })) });
    const sink = {
      event: () => {
        throw new Error("a defect");
      },
      problem: () => undefined,
    };
    await expect(read(fs, artifact, sink)).rejects.toThrow("a defect");
  });

  it("keeps a blank prompt from making a turn, unless something is attached to it", async () => {
    const attachments = [{ type: "file", path: "/srv/a.txt", displayName: "a.txt" }];
    const log = toLog(
      start,
      record("user.message", { content: "  " }),
      record("user.message", { content: "", attachments }),
    );
    const { session, events } = await readLog(log);
    expect(session.turns).toBe(1);
    expect(toTurns(events)).toHaveLength(1);
    expect(events).toMatchObject([
      { kind: "prompt", text: "  " },
      { kind: "prompt", text: "", attachments: [{ kind: "file", name: "a.txt", path: "/srv/a.txt" }] },
    ]);
  });
});
