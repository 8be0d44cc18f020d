import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Resting, startResting } from "./resting.ts";

const MB = 1 << 20;
let held: number;
let needed: number;
let released: number;
let resting: Resting;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  [held, needed, released] = [100 * MB, 100 * MB, 0];
  resting = startResting({
    held: () => held,
    release() {
      released++;
      held = needed;
    },
    clock: () => performance.now(),
  });
  vi.advanceTimersByTime(10_000);
  released = 0;
});
afterEach(() => {
  resting.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it("gives back what was needed for an answer, once nobody asks any more", async () => {
  const answer = Promise.withResolvers<string>();
  const asked = resting.during(() => answer.promise);
  held = 300 * MB;
  vi.advanceTimersByTime(20_000);
  expect(released).toBe(0); // the answer is under way
  answer.resolve("yes");
  expect(await asked).toBe("yes");
  vi.advanceTimersByTime(2000);
  expect(released).toBe(0); // and may be followed by another question
  vi.advanceTimersByTime(5000);
  expect(released).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(released).toBe(1);
});

it("does nothing for a few megabytes", () => {
  held = 105 * MB;
  vi.advanceTimersByTime(60_000);
  expect(released).toBe(0);
});

it("gives back what grows without anybody asking", () => {
  held = 120 * MB;
  vi.advanceTimersByTime(3000);
  expect(released).toBe(1);
});

it("also gives back what was remembered for a while after the last question", async () => {
  needed = 200 * MB;
  held = 300 * MB;
  await resting.during(() => "answered");
  vi.advanceTimersByTime(10_000);
  expect([released, held]).toEqual([1, 200 * MB]);
  needed = 100 * MB;
  vi.advanceTimersByTime(100_000);
  expect([released, held]).toEqual([2, 100 * MB]);
  vi.advanceTimersByTime(200_000);
  expect(released).toBe(2);
});

it("rests again after an answer that failed", async () => {
  held = 300 * MB;
  await expect(
    resting.during(() => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  vi.advanceTimersByTime(10_000);
  expect(released).toBe(1);
});
