import { describe, expect, it } from "vitest";
import { costOf, totalCost } from "./prices.ts";
import { modelName } from "./values/model-name.ts";
import { toolKey } from "./values/tool-name.ts";

describe("one name for a model", () => {
  it.each([
    ["claude-sonnet-4-5-20250929", "claude-sonnet-4.5"],
    ["claude-sonnet-4.5", "claude-sonnet-4.5"],
    ["copilot/claude-sonnet-4.5", "claude-sonnet-4.5"],
    ["Claude-Sonnet-4-5", "claude-sonnet-4.5"],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4.5"],
    ["anthropic/claude-sonnet-4-5@20250929", "claude-sonnet-4.5"],
    ["claude-sonnet-4-5[1m]", "claude-sonnet-4.5"],
    ["claude-3-5-sonnet-20241022", "claude-3.5-sonnet"],
    ["claude-opus-4-20250514", "claude-opus-4"],
    ["gpt-4o-2024-11-20", "gpt-4o"],
    ["gpt-5-mini", "gpt-5-mini"],
    ["copilot/gpt-5.4", "gpt-5.4"],
    ["gemini-2.5-pro", "gemini-2.5-pro"],
    ["o3", "o3"],
    ["unknown", "unknown"],
  ])("%s is %s", (spelled, name) => expect(modelName(spelled)).toBe(name));

  it("tells other models apart", () => {
    const names = [
      "claude-sonnet-4",
      "claude-sonnet-4.5",
      "claude-opus-4.5",
      "gpt-5",
      "gpt-5-mini",
      "gpt-5.4",
    ];
    expect(new Set(names.map(modelName)).size).toBe(names.length);
  });
});

it("knows the spellings of a tool, and leaves other tools and those of servers alone", () => {
  expect(["Bash", "bash"].map(toolKey)).toEqual(["bash", "bash"]);
  const terminal = ["run_in_terminal", "runInTerminal", "copilot_runInTerminal"].map(toolKey);
  expect(new Set(terminal).size).toBe(1);
  const others = ["bash", "run_in_terminal", "read_file", "view", "mcp__a__b", "mcp__A__b"];
  expect(new Set(others.map(toolKey)).size).toBe(others.length);
});

describe("costs", () => {
  const models = {
    "claude-sonnet-4-5-20250929": { input: 2, output: 10, cacheRead: 1, cacheWrite: 4 },
    plain: { input: 1, output: 2 },
  };
  const prices = { date: "2026-11-01", currency: "EUR", models };
  const tokens = { inputTokens: 3e6, cachedTokens: 1e6, cacheWrittenTokens: 1e6, outputTokens: 1e6 };
  const none = { inputTokens: 0, cachedTokens: 0, cacheWrittenTokens: 0, outputTokens: 0 };

  it("are those of each kind of token", () => {
    expect(costOf("claude-sonnet-4.5", tokens, prices)).toBe(2 + 1 + 4 + 10);
  });

  it("are unknown where a price is missing", () => {
    expect(costOf("gpt-5", tokens, prices)).toBeUndefined();
    expect(costOf("plain", tokens, prices)).toBeUndefined();
    expect(costOf("plain", { ...none, outputTokens: 5e5 }, prices)).toBe(1);
    expect(costOf("constructor", tokens, prices)).toBeUndefined();
  });

  it("are added up with the names of what is missing", () => {
    const shares = [
      { model: "claude-sonnet-4.5", ...tokens },
      { model: "gpt-5", ...tokens },
      { model: "silent", ...none },
    ];
    expect(totalCost(shares, prices)).toEqual({
      amount: 17,
      currency: "EUR",
      date: "2026-11-01",
      unpriced: ["gpt-5"],
    });
    expect(totalCost(shares.slice(1), prices)).toBeUndefined();
  });
});
