/** Before each file of tests. Property tests draw the same cases in every run, so that a failure is there for everybody. */
import { appendFileSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, expect, vi } from "vitest";
import { endLookalikes } from "./lookalike.ts";

afterAll(endLookalikes);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20261115 });

vi.mock("../src/platform/process/process-look.ts", async (load) => {
  const real = await load<typeof import("../src/platform/process/process-look.ts")>();
  const { processesOfTests } = await import("./other-processes.ts");
  return {
    ...real,
    createProcessLook: (platform?: NodeJS.Platform) => real.createProcessLook(platform, processesOfTests),
  };
});

/** RETHREAD_TEST_COST=<file> notes the seconds of CPU that each test file took, with the processes that it started. */
const costs = process.env.RETHREAD_TEST_COST;
if (costs !== undefined) {
  const before = used();
  afterAll(() => {
    const { own, children } = used();
    const line = {
      file: expect.getState().testPath,
      own: own - before.own,
      children: children - before.children,
    };
    appendFileSync(costs, `${JSON.stringify(line)}\n`);
  });
}

function used(): { own: number; children: number } {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  // Times of children that have ended, in hundredths of a second.
  const stat = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return { own: (userCPUTime + systemCPUTime) / 1e6, children: (Number(stat[13]) + Number(stat[14])) / 100 };
}
