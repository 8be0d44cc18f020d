/**
 * The processes that ran before the tests began. Each write looks at the processes of the machine; those that no test has
 * started can have nothing to do with it, and a developer's machine has hundreds of them.
 */
import { readFileSync } from "node:fs";
import { processesInProc } from "../src/platform/process/process-look.ts";

const NAME = "RETHREAD_TEST_OTHER_PROCESSES";

/** Once for the whole run, before there are any workers. */
export function ignoreOthers(): void {
  process.env[NAME] ??= processesInProc().join(" ");
}

/**
 * Without those of other workers, which run other files of tests: browsers and databases among them, with hundreds of open
 * files each. Who lost the process that started it counts as ours.
 */
export function processesOfTests(): number[] {
  const others = new Set(process.env[NAME]?.split(" ").map(Number));
  const parents = new Map<number, number>();
  const isOurs = (pid: number): boolean => {
    for (let at = pid; at > 1 && at !== process.pid; at = parents.get(at) ?? 0) {
      if (at === process.ppid) return false;
      if (!parents.has(at)) parents.set(at, parentOf(at));
    }
    return true;
  };
  return processesInProc().filter((pid) => !others.has(pid) && isOurs(pid));
}

/** The first number behind the name, which may have spaces and parentheses of its own; 0 where it has ended. */
function parentOf(pid: number): number {
  try {
    const [, parent] = /^.*\) \S+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return Number(parent ?? 0);
  } catch {
    return 0;
  }
}
