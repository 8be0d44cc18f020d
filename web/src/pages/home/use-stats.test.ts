import { expect, it } from "vitest";
import { toWeeks } from "./use-stats.ts";

const day = (key: string | null, turns: number) => ({
  key,
  turns,
  inputTokens: turns * 10,
  cachedTokens: turns * 5,
  outputTokens: turns,
});

it("adds days up to weeks from Monday to Sunday, also where the clocks are changed", () => {
  const weeks = toWeeks([
    day("2026-10-24", 1),
    day("2026-10-25", 2),
    day("2026-10-26", 4),
    day("2026-11-01", 8),
    day("2026-11-02", 0),
    day(null, 99),
  ]);
  expect(weeks).toEqual([day("2026-10-19", 3), day("2026-10-26", 12), day("2026-11-02", 0)]);
});
