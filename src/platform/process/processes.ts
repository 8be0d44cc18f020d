/** Checks whether a process is alive, and still the same one. */
import { readFileSync } from "node:fs";

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    // EPERM: it runs, but belongs to someone else.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** It keeps its number until its parent has asked how it ended (Linux), but does nothing any more. */
const hasEnded = (pid: number): boolean => statOf(pid)?.[0] === "Z";

/** Start time in clock ticks since boot, where the system tells (Linux); tells a recycled pid from the original. */
export const startTicks = (pid: number): string | undefined => statOf(pid)?.[19];

function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The command name may hold spaces and parentheses; the fields count from the last closing one.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
