import { afterEach, beforeEach, expect, it } from "vitest";
import { createTinyHome, type TinyHome } from "../../test/tiny-home.ts";

let home: TinyHome;
beforeEach(() => {
  home = createTinyHome();
});
afterEach(() => home.remove());

/** The model calls of a home with one file, without what nobody counted. */
async function usageOf(path: string, ...records: object[]): Promise<object[]> {
  home.write(path, ...records);
  await home.index();
  const rows = home.ask("SELECT * FROM assistant_usage_events ORDER BY id");
  return rows.map(({ id: _id, session_id: _session, ...row }) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  );
}

it("keeps all that a receipt of Copilot CLI tells, and counts neither sums nor a parent's receipts again", async () => {
  const at = "2026-10-01T10:00:00.000Z";
  const line = (type: string, data: object, more: object = {}) => ({
    type,
    data,
    ...more,
    id: "0b1c0000-0000-4000-8000-000000000000",
    timestamp: at,
    parentId: null,
  });
  const usage = {
    model: "gpt-5.4",
    inputTokens: 100,
    outputTokens: 20,
    cacheReadTokens: 64,
    cacheWriteTokens: 8,
    reasoningTokens: 5,
    cost: 0.33,
    duration: 1200,
    timeToFirstTokenMs: 93.5,
    outputTtftMs: 94.5,
    interTokenLatencyMs: 0.25,
    initiator: "agent",
    apiEndpoint: "/responses",
    reasoningEffort: "high",
    finishReason: "stop",
    contentFilterTriggered: false,
    copilotUsage: { model: "gpt-5.4-billed", totalNanoAiu: 7, tokenDetails: [{ tokenCount: 20 }] },
  };
  const rows = await usageOf(
    "copilot/session-state/0b1c0000-0000-4000-8000-000000000001/events.jsonl",
    line("user.message", { content: "one" }),
    line("session.usage_record", { usage }),
    line("user.message", { content: "two" }),
    line("session.usage_record", { usage: { model: "gpt-5.4", inputTokens: 1, parentToolCallId: "call-1" } }),
    line("session.usage_record", { usage: { model: "gpt-5.4", outputTokens: 2 } }, { agentId: "explore-1" }),
    line("session.usage_record", {
      usage: {
        model: "gpt-5.4",
        outputTokens: 9,
        accounting: { sourceSessionId: "of the session it was forked from" },
      },
    }),
    line("session.shutdown", {
      shutdownType: "routine",
      modelMetrics: { "gpt-5.4": { usage: { inputTokens: 101, outputTokens: 22 } } },
    }),
  );
  expect(rows).toEqual([
    {
      turn_index: 0,
      model: "gpt-5.4",
      copilot_usage_model: "gpt-5.4-billed",
      input_tokens: 100,
      output_tokens: 20,
      cache_read_tokens: 64,
      cache_write_tokens: 8,
      reasoning_tokens: 5,
      total_nano_aiu: 7,
      request_multiplier: 0.33,
      duration_ms: 1200,
      time_to_first_token_ms: 93.5,
      output_ttft_ms: 94.5,
      inter_token_latency_ms: 0.25,
      initiator: "agent",
      api_endpoint: "/responses",
      reasoning_effort: "high",
      finish_reason: "stop",
      content_filter_triggered: 0,
      token_details_json: '[{"tokenCount":20}]',
      created_at: at,
    },
    { turn_index: 1, model: "gpt-5.4", input_tokens: 1, parent_tool_call_id: "call-1", created_at: at },
    {
      turn_index: 1,
      model: "gpt-5.4",
      output_tokens: 2,
      agent_id: "explore-1",
      parent_tool_call_id: "explore-1",
      created_at: at,
    },
  ]);
});

it("counts a reply of Claude Code once, though every one of its rows repeats the tokens", async () => {
  const session = "6f1c2b7e-8a34-4d0b-9c55-0d2f6a1be901";
  const row = (n: number, type: string, message: object) => ({
    type,
    message,
    uuid: `0b1c0000-0000-4000-8000-00000000000${n}`,
    parentUuid: n === 0 ? null : `0b1c0000-0000-4000-8000-00000000000${n - 1}`,
    sessionId: session,
    timestamp: `2026-10-01T10:00:0${n}.000Z`,
    cwd: "/srv/shop",
    isSidechain: false,
  });
  const usage = {
    input_tokens: 3,
    output_tokens: 40,
    cache_creation_input_tokens: 900,
    cache_read_input_tokens: 12_000,
  };
  const reply = (n: number, block: object, stop_reason: string | null) =>
    row(n, "assistant", {
      id: "msg_1",
      role: "assistant",
      model: "claude-sonnet-4-5",
      content: [block],
      stop_reason,
      usage,
    });
  const rows = await usageOf(
    `claude/projects/-srv-shop/${session}.jsonl`,
    row(0, "user", { role: "user", content: "Is 7 prime?" }),
    reply(1, { type: "thinking", thinking: "Hm." }, null),
    reply(2, { type: "text", text: "Let me look." }, null),
    reply(3, { type: "tool_use", id: "t1", name: "Bash", input: { command: "factor 7" } }, "tool_use"),
    row(4, "user", { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "7: 7" }] }),
  );
  expect(rows).toEqual([
    {
      turn_index: 0,
      model: "claude-sonnet-4-5",
      input_tokens: 3,
      output_tokens: 40,
      cache_read_tokens: 12_000,
      cache_write_tokens: 900,
      finish_reason: "tool_use",
      created_at: "2026-10-01T10:00:03.000Z",
    },
  ]);
});

it("keeps what VS Code tells of a turn, also when it does not say of which model", async () => {
  const sent = Date.UTC(2026, 9, 1, 10);
  const turn = (text: string, more: object) => ({
    requestId: `request_${text}`,
    timestamp: sent,
    message: { text, parts: [{ kind: "text", text, range: { start: 0, endExclusive: text.length } }] },
    response: [{ value: "Yes." }],
    modelState: { value: 1, completedAt: sent + 5000 },
    ...more,
  });
  const rows = await usageOf("vscode/w/chatSessions/s.jsonl", {
    kind: 0,
    v: {
      version: 3,
      sessionId: "s",
      creationDate: sent,
      responderUsername: "GitHub Copilot",
      requests: [
        turn("one", {
          modelId: "copilot/gpt-5",
          promptTokens: 10,
          completionTokens: 2,
          promptTokenDetails: [{ category: "System", percentageOfPrompt: 80 }],
          result: { timings: { firstProgress: 900, totalElapsed: 5000 } },
        }),
        turn("two", { result: { metadata: { promptTokens: 7, outputTokens: 3 } } }),
        turn("three", {}),
      ],
    },
  });
  const created_at = "2026-10-01T10:00:05.000Z";
  expect(rows).toEqual([
    {
      turn_index: 0,
      model: "gpt-5",
      input_tokens: 10,
      output_tokens: 2,
      duration_ms: 5000,
      time_to_first_token_ms: 900,
      token_details_json: '[{"category":"System","percentageOfPrompt":80}]',
      created_at,
    },
    { turn_index: 1, model: "unknown", input_tokens: 7, output_tokens: 3, created_at },
  ]);
});
