/** A folder on another disk than the temporary one, which a rename does not reach; "" where there is none. */
import { existsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";

const diskOf = (path: string): number => statSync(path).dev;

/** The first of them is set where the temporary folder is in memory. */
const candidates = [process.env.RETHREAD_TEST_OTHER_DISK, "/dev/shm"];

export const OTHER_DISK =
  candidates.find((path) => path !== undefined && existsSync(path) && diskOf(path) !== diskOf(tmpdir())) ??
  "";
