/** What is set for the whole life of a process, so each is looked at in one of its own. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

/** The space for new objects after much garbage and many survivors, in a process of its own: flags are for ever. */
function newSpaceMb(before: string): number {
  const script = `
    import { getHeapSpaceStatistics } from "node:v8";
    import { spareMemory, spareMemoryFor } from ${JSON.stringify(join(import.meta.dirname, "memory.ts"))};
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
  const usual = newSpaceMb("");
  expect(newSpaceMb("spareMemory();")).toBeLessThan(usual / 2);
  expect(newSpaceMb("spareMemoryFor(500e6);")).toBeLessThan(usual / 2);
  expect(newSpaceMb("spareMemoryFor(1e6);")).toBeGreaterThan(usual / 2);
});
