import { expect, it } from "vitest";
import { createProgress } from "./progress.ts";

it("adds up what several parts of a call count, and never goes back", () => {
  const sent: { progress: number; total?: number }[] = [];
  const tell = createProgress((progress) => void sent.push(progress));
  for (const done of [0, 50, 100]) tell({ done, total: 100 });
  for (const done of [0, 10]) tell({ done, total: 10 });
  tell({ done: 10, total: 10 });
  expect(sent).toEqual([
    { progress: 0, total: 100 },
    { progress: 50, total: 100 },
    { progress: 100, total: 100 },
    { progress: 110, total: 110 },
  ]);
});

it("is told about a hundred times at most for each part", () => {
  let count = 0;
  const tell = createProgress(() => void count++);
  for (let done = 0; done <= 100_000; done++) tell({ done, total: 100_000 });
  expect(count).toBeLessThanOrEqual(102);
  expect(count).toBeGreaterThan(50);
});
