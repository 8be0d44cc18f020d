/** Whether the real programs are there, or on their way: `npm test` installs them while other tests run. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Set for the tests while the programs are being installed. */
export const INSTALLING = "RETHREAD_TEST_INSTALLING";

/** What they were installed from; written once all of them are there. */
export const STAMP = join(import.meta.dirname, "node_modules", ".installed-from");

export const readLock = (): string => readFileSync(join(import.meta.dirname, "package-lock.json"), "utf8");

export const isInstalled = (): boolean => existsSync(STAMP) && readFileSync(STAMP, "utf8") === readLock();
