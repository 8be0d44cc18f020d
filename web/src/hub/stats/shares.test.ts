import { expect, it } from "vitest";
import type { HubStatsBy } from "../../../../src/client/hub-types.ts";
import { toShares } from "./shares.tsx";

const rows = (...all: object[]) => ({ rows: all as unknown as HubStatsBy["rows"] });

it("counts people and repositories by turns, models by tokens, and tools by calls", () => {
  const measures = { sessionCount: 2, inputTokens: 40, outputTokens: 2 };
  expect(
    toShares(rows({ key: "robin", turns: 7, ...measures }, { key: null, turns: 1, ...measures })),
  ).toEqual([
    { name: "robin", sessions: 2, weight: 7, says: "7 turns" },
    { name: null, sessions: 2, weight: 1, says: "1 turn" },
  ]);
  expect(toShares(rows({ model: "gpt-5", ...measures }))).toEqual([
    { name: "gpt-5", sessions: 2, weight: 42, says: "42 tokens" },
  ]);
  const calls = { sessionCount: 3, toolCalls: 12, failedCalls: 2 };
  expect(toShares(rows({ tool: "bash", ...calls }, { tool: "view", ...calls, failedCalls: 0 }))).toEqual([
    { name: "bash", sessions: 3, weight: 12, says: "12 calls (2 failed)" },
    { name: "view", sessions: 3, weight: 12, says: "12 calls" },
  ]);
});
