import { describe, expect, it } from "vitest";
import { FIXTURES, readAll, scanHome } from "../../../../test/contracts/fixtures.ts";
import { ID, record, start } from "../../../../test/copilot-log.ts";
import { besideContext } from "../../../../test/replayed.ts";
import { type Turn, toTurns } from "../../../model/session/turns.ts";
import { localFs } from "../../../platform/fs/local.ts";
import copilotCli from "../index.ts";
import { folderOf } from "../workspace/locate.ts";
import { replay } from "./state.ts";

const user = (content: string, more: object = {}) => record("user.message", { content, ...more });
const answer = (content: string, ...toolRequests: object[]) =>
  record("assistant.message", { messageId: "m", content, toolRequests, model: "gpt" });
const call = (toolCallId: string, name = "bash") => ({ toolCallId, name, arguments: { command: "ls" } });
const result = (toolCallId: string, content: string) =>
  record("tool.execution_complete", { toolCallId, success: true, result: { content } });

describe("replay", () => {
  it("tells messages, turns, tools and the head of a session", () => {
    const state = replay([
      start,
      user("List files"),
      answer("Sure.", call("t1")),
      result("t1", "a.txt"),
      answer("One."),
    ]);
    expect(state).toMatchObject({
      id: ID,
      title: "List files",
      workspace: "/srv/shop",
      producer: "1.0.102",
      createdAt: "2026-01-02T03:04:04.000Z",
      models: ["gpt"],
      mode: "interactive",
      hasPlan: false,
      compactions: 0,
      isCompacting: false,
      isWorking: false,
      messages: [
        { role: "user", text: "List files" },
        {
          role: "assistant",
          text: "Sure.",
          toolCalls: [{ id: "t1", name: "bash", arguments: { command: "ls" } }],
        },
        { role: "tool", text: "a.txt", toolCallId: "t1" },
        { role: "assistant", text: "One." },
      ],
      turns: [{ index: 0, user: "List files", assistant: "Sure.\n\nOne." }],
      tools: [{ callId: "t1", name: "bash", status: "ok", result: "a.txt" }],
      problems: [],
    });
    expect(state.messages.map(({ origin }) => origin?.line)).toEqual([2, 3, 4, 5]);
  });

  it("shows the calls of sub-agents behind the call that started them, and sends none of their words", () => {
    const agent = { agentId: "a1" };
    const state = replay([
      start,
      user("Look"),
      answer("", call("t1", "task")),
      record(
        "subagent.started",
        { toolCallId: "t1", agentName: "x", agentDisplayName: "x", agentDescription: "x" },
        agent,
      ),
      record("assistant.message", { messageId: "m", content: "inner", toolRequests: [call("t2")] }, agent),
      record(
        "tool.execution_complete",
        { toolCallId: "t2", success: false, error: { message: "no" } },
        agent,
      ),
      result("t1", "found"),
    ]);
    expect(state.tools.map(({ callId, status }) => [callId, status])).toEqual([
      ["t1", "ok"],
      ["t2", "failed"],
    ]);
    expect(state.messages.map(({ text }) => text)).toEqual(["Look", "", "found"]);
  });

  it("takes the last word on mode, model and plan", () => {
    const changes = [
      record("session.start", { ...start.data, selectedModel: "one" }),
      record("session.model_change", { newModel: "two" }),
      record("session.model_change", { newModel: "of a sub-agent" }, { agentId: "a1" }),
      user("Plan it", { agentMode: "plan" }),
      record("session.plan_changed", { operation: "create" }),
      record("assistant.turn_start", { turnId: "0" }),
    ];
    expect(replay(changes)).toMatchObject({ model: "two", mode: "plan", hasPlan: true, isWorking: true });
    const later = [
      record("session.mode_changed", { previousMode: "plan", newMode: "autopilot" }),
      record("session.plan_changed", { operation: "delete" }),
      record("session.resume", { resumeTime: "t", eventCount: 1, selectedModel: "three" }),
    ];
    expect(replay([...changes, ...later])).toMatchObject({
      model: "three",
      mode: "autopilot",
      hasPlan: false,
      isWorking: false,
    });
    const deselected = record("session.model_deselected", { previousModel: "two", reason: "gone" });
    expect(replay([...changes, deselected])).not.toHaveProperty("model");
  });

  it("puts the summary of a compaction in the place of what came before, and counts those that succeeded", () => {
    const done = record("session.compaction_complete", {
      success: true,
      summaryContent: "<overview>Half done.</overview>\n<checkpoint_title>Halfway</checkpoint_title>",
      checkpointNumber: 1,
    });
    const failed = record("session.compaction_complete", { success: false });
    const under = replay([start, user("One"), record("session.compaction_start", {})]);
    expect(under).toMatchObject({ isCompacting: true, compactions: 0 });
    const state = replay([start, user("One"), answer("Two"), done, failed, user("Three")]);
    expect(state).toMatchObject({
      isCompacting: false,
      compactions: 1,
      lastCompaction: { summary: "<overview>Half done.</overview>", title: "Halfway", checkpoint: 1 },
    });
    expect(state.messages.map(({ role, text }) => [role, text.includes("Half done.")])).toEqual([
      ["user", true],
      ["user", false],
    ]);
    expect(state.turns.map((turn) => turn.user)).toEqual(["One", "Three"]);
  });

  it("names the events it could not take, and passes over those that are only for listeners", () => {
    const events = [start, { type: "app.note", data: {} }, { type: "session.idle", data: {} }, user("Hi"), 7];
    const state = replay([...events, record("tool.execution_start", { toolCallId: "t" })] as never);
    expect(state.problems).toEqual([
      { event: 2, code: "record-unknown", message: 'unknown event type "app.note"' },
      { event: 5, code: "record-unreadable", message: "not an object" },
      { event: 6, code: "record-invalid", message: 'tool.execution_start lacks "toolName"' },
    ]);
    expect(state.messages.map(({ text }) => text)).toEqual(["Hi"]);
  });

  it("is the same whenever it is asked, and changes nothing of what it is given", () => {
    const events = [start, user("Hi"), answer("", call("t1"))];
    const before = JSON.stringify(events);
    expect(replay(events)).toEqual(replay(events));
    expect(JSON.stringify(events)).toBe(before);
  });

  it("makes an empty session of no events", () => {
    expect(replay([])).toMatchObject({ title: "", messages: [], turns: [], tools: [], problems: [] });
  });
});

/** Without places in a file, and what the catalog or the folder beside the log adds. */
const LEFT_OUT = new Set(["origin", "resultOrigin", "title"]);
const told = (turns: readonly Turn[]): unknown =>
  JSON.parse(JSON.stringify(turns, (key, value) => (LEFT_OUT.has(key) ? undefined : value)));

describe("over every fixture", () => {
  const fixtures = FIXTURES.filter(({ source }) => source === copilotCli);
  it.each(fixtures)("$name: messages are those of context, turns those of the reader", async ({ home }) => {
    const { artifacts } = await scanHome(copilotCli, home);
    for (const artifact of artifacts.filter(({ path }) => folderOf(path) !== undefined)) {
      const context = (await copilotCli.context?.messages(localFs, artifact)) ?? [];
      const { state, problems, replayed, meant } = await besideContext(artifact, context);
      expect.soft(replayed, artifact.path).toEqual(meant);
      const read = await readAll(copilotCli, artifact, localFs, { textLimit: Number.POSITIVE_INFINITY });
      // What the program drops, a reader still wants to see.
      if (problems.some(({ code }) => code === "record-encoding")) continue;
      expect.soft(told(state.turns), artifact.path).toEqual(told(toTurns(read.events)));
      expect.soft(state.models, artifact.path).toEqual(read.session.models);
    }
    expect(artifacts.length).toBeGreaterThan(0);
  });
});
