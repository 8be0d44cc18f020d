/** Processes that look like an agent's program to whoever asks the system, for locks to name. */
import { type ChildProcess, spawn } from "node:child_process";

export interface Lookalike {
  readonly pid: number;
  /** Waits until it is gone. */
  end(): Promise<void>;
}

const running = new Map<ChildProcess, Lookalike>();
const shared = new Map<string, Lookalike>();

/** Called by setup.ts after each file of tests: files that share a process share this module. */
export async function endLookalikes(): Promise<void> {
  shared.clear();
  for (const each of running.values()) await each.end();
}

/** Waits for its input, which ends with this process at the latest. */
export function startLookalike(
  name: string,
  words: readonly string[] = [],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Lookalike {
  const child = spawn("sh", ["-c", "read _", name, ...words], {
    argv0: name,
    stdio: ["pipe", "ignore", "ignore"],
    ...options,
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const one: Lookalike = {
    pid: child.pid ?? 0,
    async end() {
      running.delete(child);
      child.kill("SIGKILL");
      await gone;
    },
  };
  running.set(child, one);
  return one;
}

/** The same one for every test of a file. */
export function pidLike(name: string): number {
  const known = shared.get(name) ?? startLookalike(name);
  shared.set(name, known);
  return known.pid;
}
