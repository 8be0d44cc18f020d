import { getHeapSpaceStatistics } from "node:v8";
import { expect, it } from "vitest";
import { notePassing, releaseMemory, withoutGrowing } from "./memory.ts";

const newSpace = (): number =>
  getHeapSpaceStatistics().find((space) => space.space_name === "new_space")?.space_size ?? 0;

/** Makes garbage, of which so much is alive at a time that the engine would rather have more space. */
function waste(): void {
  let alive: object[] = [];
  for (let round = 0; round < 60; round++)
    alive = Array.from({ length: 30_000 }, (_, at) => ({ round, at, text: `${round} ${at}` }));
  expect(alive.length).toBe(30_000);
}

it("gives the space for new objects back, which otherwise stays", () => {
  waste();
  const grown = newSpace();
  releaseMemory();
  expect(newSpace()).toBeLessThan(grown / 2);
  expect(globalThis).not.toHaveProperty("gc");
});

it("keeps that space as it is during work that only makes garbage, and no longer", async () => {
  releaseMemory();
  const small = newSpace();
  // Now and then the engine makes it larger all the same, but not each time.
  const after: number[] = [];
  for (let times = 0; times < 4; times++) {
    releaseMemory();
    after.push(
      await withoutGrowing(async () => {
        waste();
        return newSpace();
      }),
    );
  }
  expect(Math.min(...after)).toBeLessThanOrEqual(2 * small);
  await expect(
    withoutGrowing(async () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  waste();
  expect(newSpace()).toBeGreaterThan(4 * small);
});

it("does not let buffers pile up that pass through", () => {
  const held = (): number => process.memoryUsage().arrayBuffers;
  const passing = (note: (bytes: number) => void): number => {
    releaseMemory();
    const before = held();
    let most = 0;
    for (let piece = 0; piece < 600; piece++) {
      note(new Uint8Array(64 << 10).fill(piece).length);
      most = Math.max(most, held() - before);
    }
    return most;
  };
  expect(passing(notePassing)).toBeLessThan(passing(() => undefined) / 2);
});
