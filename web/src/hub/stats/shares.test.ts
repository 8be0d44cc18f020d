import { expect, it } from "vitest";
import type { HubStatsBy } from "../../../../src/client/hub-types.ts";
import { toShares } from "./shares.tsx";

const rows = (...all: object[]) => ({ rows: all as unknown as HubStatsBy["rows"] });

it("counts people and repositories by turns, and models by tokens", () => {
  const measures = { sessionCount: 2, inputTokens: 40, outputTokens: 2 };
  expect(
    toShares(rows({ key: "robin", turns: 7, ...measures }, { key: null, turns: 1, ...measures })),
  ).toEqual([
    { name: "robin", sessions: 2, turns: 7, tokens: 42 },
    { name: "none", sessions: 2, turns: 1, tokens: 42 },
  ]);
  expect(toShares(rows({ model: "gpt-5", ...measures }))).toEqual([
    { name: "gpt-5", sessions: 2, turns: undefined, tokens: 42 },
  ]);
});
