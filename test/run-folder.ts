/**
 * The temporary folder of one run of the tests. It lies in memory where the system has room for that, since the tests make
 * thousands of files that are each synced before the next. Imported by vitest.config.ts, so that every worker and every
 * child inherits it as `TMPDIR`.
 */
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Containers often have 64 MiB there, which is too little. */
const ENOUGH = 2 * 2 ** 30;
const OTHER_DISK = "RETHREAD_TEST_OTHER_DISK";

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH;
  } catch {
    return false;
  }
}

/** Once for the whole run. What the tests forget to remove goes at its end. */
export function useRunFolder(): void {
  if (process.env[OTHER_DISK] !== undefined) return;
  process.env[OTHER_DISK] = tmpdir();
  const folder = mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), "rethread-tests-"));
  process.env.TMPDIR = folder;
  process.once("exit", () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch {
      // A program that a test started may still be ending; that does not make a test fail.
    }
  });
}
