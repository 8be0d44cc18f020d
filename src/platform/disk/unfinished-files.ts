/** Removes files that are not finished when the process is ended by a signal, such as Ctrl-C, or by itself. */
import { rmSync } from "node:fs";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const unfinished = new Set<string>();

/** To be called before the file is made. What it gives back is called once the file is finished or discarded. */
export function removeUnlessFinished(path: string): () => void {
  if (unfinished.size === 0) {
    process.on("exit", removeAll);
    for (const name of SIGNALS) process.on(name, end);
  }
  unfinished.add(path);
  return () => {
    if (unfinished.delete(path) && unfinished.size === 0) letGo();
  };
}

function letGo(): void {
  process.off("exit", removeAll);
  for (const name of SIGNALS) process.off(name, end);
}

function removeAll(): void {
  for (const path of unfinished)
    try {
      rmSync(path, { force: true, recursive: true });
    } catch {
      // Some systems keep a file that is still open; the process ends in any case.
    }
  unfinished.clear();
}

/** Whoever else listens decides whether the process goes on, and discards what it does not finish. */
function end(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  letGo();
  process.kill(process.pid, signal);
}
