/** Property tests draw the same cases in every run, so that a failure is there for everybody. */
import { appendFileSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, expect } from "vitest";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20261115 });

/** RETHREAD_TEST_COST=<file> notes the seconds of CPU that each test file took, with the processes that it started. */
const costs = process.env.RETHREAD_TEST_COST;
if (costs !== undefined)
  afterAll(() => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const own = (userCPUTime + systemCPUTime) / 1e6;
    // Times of children that have ended, in hundredths of a second.
    const stat = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
    const children = (Number(stat[13]) + Number(stat[14])) / 100;
    const line = { file: expect.getState().testPath, own, children };
    appendFileSync(costs, `${JSON.stringify(line)}\n`);
  });
