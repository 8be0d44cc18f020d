/** A SessionFs that throws once its caller's signal is aborted. */
import { AppError } from "../../model/errors.ts";
import type { SessionFs } from "./session-fs.ts";

/** File calls are synchronous, so timers and sockets are only heard when the work pauses. */
const PAUSE_AFTER_MS = 25;

/** Throws once the signal is aborted. */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new AppError("aborted", "The call was stopped", "Ask again", signal.reason);
}

export const isAborted = (error: unknown): boolean => error instanceof AppError && error.code === "aborted";

export function createAbortableFs(fs: SessionFs, signal: AbortSignal): SessionFs {
  let paused = performance.now();
  const check = async (): Promise<void> => {
    if (performance.now() - paused >= PAUSE_AFTER_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      paused = performance.now();
    }
    refuseAborted(signal);
  };
  const checked =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await check();
      return work(...args);
    };
  return {
    ...fs,
    read: checked(fs.read),
    exists: checked(fs.exists),
    stat: checked(fs.stat),
    readdir: checked(fs.readdir),
    write: checked(fs.write),
    append: checked(fs.append),
    mkdir: checked(fs.mkdir),
    rm: checked(fs.rm),
    rename: checked(fs.rename),
    ...(fs.statEach && { statEach: checked(fs.statEach) }),
    ...(fs.realPath && { realPath: checked(fs.realPath) }),
    ...(fs.touch && { touch: checked(fs.touch) }),
    async *chunks(path, range) {
      await check();
      for await (const chunk of fs.chunks(path, range)) {
        yield chunk;
        await check();
      }
    },
  };
}
