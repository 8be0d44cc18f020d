/** Installs the real programs into this folder, once; run by the test command, never by users. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const lock = readFileSync(join(here, "package-lock.json"), "utf8");
const stamp = join(here, "node_modules", ".installed-from");

if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) process.exit(0);

console.log("Installing the real programs for the tests (about 600 MB, once) …");
const result = spawnSync("npm", ["install", "--no-save", "--no-audit", "--no-fund"], {
  cwd: here,
  stdio: ["ignore", "inherit", "inherit"],
  shell: process.platform === "win32",
});
if (result.status !== 0) {
  console.error("The real programs could not be installed; the tests that need them cannot run.");
  process.exit(result.status ?? 1);
}
writeFileSync(stamp, lock);
