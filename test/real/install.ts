/** Installs the real programs into this folder, once; run by the test command, never by users. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { isInstalled, readLock, STAMP } from "./installing.ts";

if (isInstalled()) process.exit(0);

const lock = readLock();
console.log("Installing the real programs for the tests (about 1 GB, once) …");
const result = spawnSync("npm", ["install", "--no-save", "--no-audit", "--no-fund"], {
  cwd: import.meta.dirname,
  stdio: ["ignore", "inherit", "inherit"],
  shell: process.platform === "win32",
});
if (result.status !== 0) {
  console.error("The real programs could not be installed; the tests that need them cannot run.");
  process.exit(result.status ?? 1);
}
writeFileSync(STAMP, lock);
