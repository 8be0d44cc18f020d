/**
 * Runs everything that `npm test` promises: the check beside the tests. In a fresh clone the real programs are installed
 * meanwhile; the tests that need them come last then, and wait for them (test/real/installed.ts).
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { INSTALLING } from "./real/installing.ts";

const root = join(import.meta.dirname, "..");
/** How long it may take to see that nothing is to be installed. */
const LOOK_MS = 500;

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
// Where the programs are there, this ends at once.
await Promise.race([installation.ended, new Promise((resolve) => setTimeout(resolve, LOOK_MS))]);
if (installed === undefined)
  console.log("\nThe real programs are being installed meanwhile (about 1 GB, once) …");

// Beside the tests, which wait for programs half of the time.
const check = start("npm", ["run", "-s", "check"], "kept");
const tests = start(
  "vitest",
  ["run", ...process.argv.slice(2)],
  "shown",
  installed === undefined ? { [INSTALLING]: "1" } : {},
);
// Nothing that waits for the programs could end then; and what does not pass the check need not be tested.
for (const { ended } of [installation, check])
  void ended.then((code) => {
    if (code !== 0) tests.stop();
  });

const testCode = await tests.ended;
// All are waited for, so that an installation is never cut off in the middle.
const failed = [];
for (const part of [check, installation]) {
  const code = await part.ended;
  if (code === 0) continue;
  failed.push(code);
  console.error(`\n${part.printed()}`);
}
process.exit(failed[0] ?? testCode);
