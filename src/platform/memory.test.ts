import { execFileSync } from "node:child_process";
import { join } from "node:path";
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
  await withoutGrowing(async () => waste());
  expect(newSpace()).toBeLessThanOrEqual(2 * small);
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

/** The space for new objects after much garbage and many survivors, in a process of its own: flags are for ever. */
function newSpaceMb(before: string): number {
  const script = `
    import { getHeapSpaceStatistics } from "node:v8";
    import { spareMemory } from ${JSON.stringify(join(import.meta.dirname, "memory.ts"))};
    ${before}
    let held = [];
    let most = 0;
    for (let i = 0; i < 1_000_000; i++) {
      held.push({ i });
      if (held.length < 100_000) continue;
      held = [];
      const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
      most = Math.max(most, space.space_size);
    }
    console.log(most);`;
  const out = execFileSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    encoding: "utf8",
  });
  return Number(out) / 2 ** 20;
}

it("spares memory by keeping that space small for good", () => {
  expect(newSpaceMb("spareMemory();")).toBeLessThan(newSpaceMb("") / 2);
});
