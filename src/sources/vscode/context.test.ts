import { describe, expect, it } from "vitest";
import type { ContextMessage } from "../../model/session/context.ts";
import type { Artifact } from "../../model/session/session.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { context } from "./context.ts";

const artifact: Artifact = {
  source: "vscode",
  id: "s",
  root: "/",
  path: "/s.json",
  fingerprint: { size: 0, mtimeMs: 0, ino: 0 },
};
const contextOf = async (requests: unknown[], head: object = {}): Promise<object[]> => {
  const fs = createMemoryFs({ "/s.json": JSON.stringify({ requests, ...head }) });
  return (await context(fs, artifact)).map(
    ({ origin: _origin, turn: _turn, ...message }: ContextMessage) => message,
  );
};
const turn = (text: string, metadata: object, more: object = {}): object => ({
  requestId: `request_${text}`,
  message: { text },
  response: [{ value: `shown ${text}` }],
  result: { metadata },
  ...more,
});
const round = (id: string, response: string, calls: string[] = [], more: object = {}): object => ({
  id,
  response,
  toolCalls: calls.map((call) => ({ id: call, name: "run", arguments: '{"x":1}' })),
  ...more,
});
const results = (texts: Record<string, string>): object =>
  Object.fromEntries(
    Object.entries(texts).map(([id, value]) => [id, { $mid: 20, content: [{ $mid: 21, value }] }]),
  );

describe("what the model would receive", () => {
  it("comes from the extension's data, each result after its call", async () => {
    const metadata = {
      renderedGlobalContext: [{ type: 1, text: "<env>" }],
      renderedUserMessage: [
        { type: 1, text: "<userRequest>a</userRequest>" },
        { type: 3, cacheType: "ephemeral" },
      ],
      toolCallRounds: [round("r1", "Let me see.", ["c1__vscode-1", "c2"]), round("r2", "Done.")],
      toolCallResults: results({ "c1__vscode-1": "one", c2: "" }),
    };
    expect(await contextOf([turn("a", metadata)])).toEqual([
      { role: "user", text: "<env>", madeUp: true },
      { role: "user", text: "<userRequest>a</userRequest>" },
      {
        role: "assistant",
        text: "Let me see.",
        toolCalls: [
          { id: "c1", name: "run", arguments: { x: 1 } },
          { id: "c2", name: "run", arguments: { x: 1 } },
        ],
      },
      { role: "tool", text: "one", toolCallId: "c1" },
      { role: "tool", text: "(empty)", toolCallId: "c2" },
      { role: "assistant", text: "Done." },
    ]);
  });

  it("is the text of the answer where the extension kept nothing", async () => {
    expect(await contextOf([turn("a", {})])).toEqual([
      { role: "user", text: "a" },
      { role: "assistant", text: "shown a" },
    ]);
  });

  it("leaves out calls without a result, and a round that has no other", async () => {
    const metadata = {
      toolCallRounds: [round("r1", "both", ["c1", "c2"]), round("r2", "none", ["c3"]), round("r3", "end")],
      toolCallResults: results({ c1: "one" }),
    };
    expect(await contextOf([turn("a", metadata)])).toEqual([
      { role: "user", text: "a" },
      { role: "assistant", text: "both", toolCalls: [{ id: "c1", name: "run", arguments: { x: 1 } }] },
      { role: "tool", text: "one", toolCallId: "c1" },
      { role: "assistant", text: "end" },
    ]);
  });

  it("begins with the newest summary, wherever it was noted", async () => {
    const old = turn("a", { toolCallRounds: [round("r1", "one"), round("r2", "two")] });
    const noted = turn("b", {
      toolCallRounds: [round("r3", "three")],
      summary: { toolCallRoundId: "r1", text: "So far" },
    });
    expect(await contextOf([turn("z", {}), old, noted])).toEqual([
      { role: "user", text: "<conversation-summary>\nSo far\n</conversation-summary>", madeUp: true },
      { role: "assistant", text: "two" },
      { role: "user", text: "b" },
      { role: "assistant", text: "three" },
    ]);
    const inRound = turn("a", {
      toolCallRounds: [round("r1", "one", [], { summary: "S" }), round("r2", "two")],
    });
    expect(await contextOf([turn("z", {}), inRound])).toEqual([
      { role: "user", text: "<conversation-summary>\nS\n</conversation-summary>", madeUp: true },
      { role: "assistant", text: "two" },
    ]);
  });

  it("sends thoughts only back to the model that had them", async () => {
    const rounds = [
      round("r1", "one", [], { thinking: { text: "mine" }, modelId: "gpt-5" }),
      round("r2", "two", [], { thinking: { text: "theirs" }, modelId: "other" }),
    ];
    expect(await contextOf([turn("a", { toolCallRounds: rounds }, { modelId: "copilot/gpt-5" })])).toEqual([
      { role: "user", text: "a" },
      { role: "assistant", text: "one", thinking: "mine" },
      { role: "assistant", text: "two" },
    ]);
  });

  it("takes the results of the last calls from the next turn when the limit of calls was reached", async () => {
    const limited = turn("a", { toolCallRounds: [round("r1", "go", ["c1"])], maxToolCallsExceeded: true });
    const next = turn(
      "yes",
      { toolCallRounds: [round("r2", "end")], toolCallResults: results({ c1: "late" }) },
      { confirmation: "Continue" },
    );
    expect(await contextOf([limited, next])).toEqual([
      { role: "user", text: "a" },
      { role: "assistant", text: "go", toolCalls: [{ id: "c1", name: "run", arguments: { x: 1 } }] },
      { role: "tool", text: "late", toolCallId: "c1" },
      { role: "assistant", text: "end" },
    ]);
  });

  it("forgets turns that were undone, and keeps what a hook added", async () => {
    const metadata = { toolCallRounds: [round("r1", "one", [], { hookContext: "by the way" })] };
    expect(await contextOf([turn("a", metadata), turn("b", {}, { shouldBeRemovedOnSend: {} })])).toEqual([
      { role: "user", text: "a" },
      { role: "assistant", text: "one" },
      { role: "user", text: "by the way", madeUp: true },
    ]);
  });

  it("is made of the document that a broken log hides, as the reading is", async () => {
    const fs = createMemoryFs({
      "/s.jsonl": "%%% no log\n",
      "/s.json": JSON.stringify({ requests: [turn("a", {}, { response: [{ value: "b" }] })] }),
    });
    const [prompt, answer] = await context(fs, { ...artifact, path: "/s.jsonl" });
    expect(prompt).toMatchObject({ role: "user", text: "a", origin: { file: "/s.json", line: 1 } });
    expect(answer).toMatchObject({ role: "assistant", text: "b", origin: { file: "/s.json", line: 1 } });
  });

  it("is made of the turns that an emptied log still holds", async () => {
    const records = [
      { kind: 0, v: { requests: [turn("a", {}, { response: [{ value: "b" }] })] } },
      { kind: 2, k: ["requests"], i: 0 },
    ];
    const fs = createMemoryFs({
      "/s.jsonl": records.map((record) => `${JSON.stringify(record)}\n`).join(""),
    });
    expect(await context(fs, { ...artifact, path: "/s.jsonl" })).toMatchObject([
      { role: "user", text: "a", origin: { line: 1 } },
      { role: "assistant", text: "b", origin: { line: 1 } },
    ]);
  });

  it("is nothing for a session whose file is gone, and an error for one that cannot be opened", async () => {
    expect(await context(createMemoryFs(), { ...artifact, listed: { state: "ghost" } })).toEqual([]);
    await expect(context(createMemoryFs(), artifact)).rejects.toMatchObject({ code: "unreadable" });
  });
});
