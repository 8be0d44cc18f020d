/** Installs the workbench into this folder, once; run by `npm run workbench` only, as it is heavy. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const lock = readFileSync(join(here, "package-lock.json"), "utf8");
const stamp = join(here, "node_modules", ".installed-from");

if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) process.exit(0);

console.log("Installing code-server and a browser (about 700 MB, once) …");
const vscode = join(here, "node_modules", "code-server", "lib", "vscode");
run(here, "ci", "--ignore-scripts");
// What the package's own script would do: VS Code's dependencies have a list of their own.
run(vscode, "install", "--no-save", "--omit=dev", "--ignore-scripts");
// The server does not start without these; the other native ones (terminals, Kerberos …) are never called here.
run(
  vscode,
  "rebuild",
  "@vscode/spdlog",
  "@vscode/native-watchdog",
  "@vscode/fs-copyfile",
  "@vscode/deviceid",
);
writeFileSync(stamp, lock);

function run(cwd: string, ...args: string[]): void {
  const { status } = spawnSync("npm", [...args, "--no-audit", "--no-fund"], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (status === 0) return;
  console.error(
    `npm ${args.join(" ")} failed${args[0] === "rebuild" ? "; it needs a compiler and Python" : ""}.`,
  );
  process.exit(status ?? 1);
}
