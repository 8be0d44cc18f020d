import { afterEach, describe, expect, it, vi } from "vitest";
import { createGoal } from "./goal.ts";

describe("a jump", () => {
  afterEach(() => vi.useRealTimers());

  it("is made again when rows above it were read or measured", () => {
    const went: unknown[] = [];
    const goal = createGoal((turn, row) => went.push([turn, row]));
    goal.keep();
    goal.set(12);
    goal.keep();
    goal.set(3, "row");
    goal.keep();
    expect(went).toEqual([
      [12, undefined],
      [12, undefined],
      [3, "row"],
      [3, "row"],
    ]);
  });

  it("is over when the reader scrolls, or after a while", () => {
    vi.useFakeTimers();
    const went: number[] = [];
    const goal = createGoal((turn) => went.push(turn));
    goal.set(12);
    goal.drop();
    goal.keep();
    expect(went).toEqual([12]);
    goal.set(13);
    vi.advanceTimersByTime(60_000);
    goal.keep();
    expect(went).toEqual([12, 13]);
  });
});
