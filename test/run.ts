/**
 * Runs everything that `npm test` promises. In a fresh clone the real programs are installed while the check and the unit
 * tests run; the tests that need the programs come last then, and wait for them (test/real/installed.ts).
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { INSTALLING } from "./real/installing.ts";

const root = join(import.meta.dirname, "..");

interface Started {
  /** The exit code; a process that a signal ended has failed. */
  readonly ended: Promise<number>;
  /** What was printed so far, unless it went straight to the terminal. */
  printed(): string;
  stop(): void;
}

function start(command: string, words: readonly string[], how: "shown" | "kept", vars = {}): Started {
  const child = spawn(command, words, {
    cwd: root,
    env: { ...process.env, ...vars },
    stdio: how === "shown" ? "inherit" : ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (piece) => (text += piece));
  return {
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? 1));
    }),
    printed: () => text,
    stop: () => void child.kill("SIGTERM"),
  };
}

const installation = start(process.execPath, [join("test", "real", "install.ts")], "kept");
let installed: number | undefined;
void installation.ended.then((code) => {
  installed = code;
});

/** Both are waited for, so that an installation is never cut off in the middle. */
async function leave(code: number): Promise<never> {
  const installCode = await installation.ended;
  if (installCode !== 0) console.error(`\n${installation.printed()}`);
  process.exit(installCode || code);
}

const checked = await start("npm", ["run", "-s", "check"], "shown").ended;
if (checked !== 0 || (installed ?? 0) !== 0) await leave(checked);
if (installed === undefined)
  console.log("\nThe real programs are being installed meanwhile (about 600 MB, once) …");

const isInstalling = installed === undefined;
const tests = start(
  "vitest",
  ["run", ...process.argv.slice(2)],
  "shown",
  isInstalling ? { [INSTALLING]: "1" } : {},
);
// Nothing that waits for the programs could end then.
void installation.ended.then((code) => {
  if (code !== 0) tests.stop();
});
await leave(await tests.ended);
