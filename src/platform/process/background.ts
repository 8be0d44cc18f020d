/** Starts a process that outlives this one and its terminal. */
import { spawn } from "node:child_process";

export interface Background {
  readonly folder: string;
  readonly vars: Readonly<Record<string, string | undefined>>;
}

/** In a session of its own, without our input and output. Throws where it cannot be started. */
export async function startInBackground(
  [program = "", ...args]: readonly string[],
  { folder, vars }: Background,
): Promise<void> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...vars },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => resolve());
  });
  child.unref();
}

/** Resolves after that time, or at once when the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
