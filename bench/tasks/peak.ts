/** The most memory this process took, in MB. */
import { existsSync, readFileSync } from "node:fs";

const STATUS = "/proc/self/status";

/** On Linux `maxRSS` begins with what the parent had when it started us; the kernel's own mark does not. */
export function peakMb(): number {
  const mark = existsSync(STATUS)
    ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(STATUS, "utf8"))?.[1]
    : undefined;
  return (mark === undefined ? process.resourceUsage().maxRSS : Number(mark)) / 1024;
}
