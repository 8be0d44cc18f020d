/** The processes that a process has started, as Linux tells. */
import { globSync, readFileSync } from "node:fs";

export const childrenOf = (pid: number): number[] =>
  globSync("/proc/[0-9]*/stat").flatMap((path) => {
    try {
      const stat = readFileSync(path, "utf8");
      const [, parent] = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .slice(0, 2);
      return Number(parent) === pid ? [Number(stat.split(" ")[0])] : [];
    } catch {
      return []; // it has ended
    }
  });

/** Those of them that work for a server. */
export const workersOf = (pid: number): number[] =>
  childrenOf(pid).filter((child) => wordsOf(child).includes("--work"));

const wordsOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
};
