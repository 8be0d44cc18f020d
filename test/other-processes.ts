/**
 * The processes that ran before the tests began. Each write looks at the processes of the machine; those that no test has
 * started can have nothing to do with it, and a developer's machine has hundreds of them.
 */
import { processesInProc } from "../src/platform/process/process-look.ts";

const NAME = "RETHREAD_TEST_OTHER_PROCESSES";

/** Once for the whole run, before there are any workers. */
export function ignoreOthers(): void {
  process.env[NAME] ??= processesInProc().join(" ");
}

export function processesOfTests(): number[] {
  const others = new Set(process.env[NAME]?.split(" ").map(Number));
  return processesInProc().filter((pid) => !others.has(pid));
}
