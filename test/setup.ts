/** Before each file of tests. Property tests draw the same cases in every run, so that a failure is there for everybody. */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
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
  return { own: (userCPUTime + systemCPUTime) / 1e6, children: descendants(process.pid) / 100 };
}

/** In hundredths of a second: of children that have ended, and of those that still run, such as a database of all tests. */
function descendants(pid: number): number {
  try {
    const [, text = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?!.*\) )/s);
    const times = text.split(" ").slice(11, 15).map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = times;
    const threads = readdirSync(`/proc/${pid}/task`);
    const running = threads.flatMap((id) =>
      readFileSync(`/proc/${pid}/task/${id}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
    const below = running.reduce((sum, each) => sum + descendants(each), endedUser + endedSystem);
    return pid === process.pid ? below : below + user + system;
  } catch {
    // It has just ended; its parent counts it from now on.
    return 0;
  }
}
