/**
 * Where the tests keep their homes: in memory where the system has room for that, since they make thousands of files that
 * are each synced before the next. Imported by vitest.config.ts, so that every worker and every child inherits `TMPDIR`.
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

/** Sets `TMPDIR` once for the whole run. What the tests forget to remove goes at its end. */
export function useMemory(): void {
  if (process.env[OTHER_DISK] !== undefined || !hasRoom()) return;
  process.env[OTHER_DISK] = tmpdir();
  const folder = mkdtempSync(join(MEMORY, "rethread-tests-"));
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}
