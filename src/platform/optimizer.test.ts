/** What is set for the whole life of a process, so each is looked at in one of its own. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Whether the engine optimizes a place that is called twenty thousand times, which is more often than it usually waits for. */
function isOptimized(before: string): boolean {
  const script = `
    import { setFlagsFromString } from "node:v8";
    import { optimizeAsUsual, optimizeLate, optimizeLateFor } from ${JSON.stringify(join(import.meta.dirname, "optimizer.ts"))};
    ${before}
    setFlagsFromString("--allow-natives-syntax");
    const isOptimized = new Function("place", "return %ActiveTierIsTurbofan(place)");
    const place = (list, sum) => { for (const each of list) sum += each.length; return sum; };
    const list = ["a", "bc", "def", "", "ghij"];
    let sum = 0;
    for (let i = 0; i < 20_000; i++) sum = place(list, sum) % 1000;
    console.log(isOptimized(place));`;
  const flags = ["--no-concurrent-recompilation", "--input-type=module-typescript", "-e", script];
  return execFileSync(process.execPath, flags, { encoding: "utf8" }).trim() === "true";
}

it("lets the engine optimize later while large sessions are read", () => {
  expect(isOptimized("")).toBe(true);
  expect(isOptimized("optimizeLateFor(1e6);")).toBe(true);
  expect(isOptimized("optimizeLateFor(500e6);")).toBe(false);
  expect(isOptimized("optimizeLate(); optimizeAsUsual();")).toBe(true);
});
