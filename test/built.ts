/**
 * What tests start as processes, bundled: a bundle starts in half the time that its sources take. The first test that
 * needs one builds it for all workers of the run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const LOOK_AGAIN_MS = 20;
const sleep = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Runs a script with the name of the folder to fill as its first word. Gives back that folder. */
function buildOnce(name: string, script: string, ...words: string[]): string {
  const folder = join(tmpdir(), `built-${name}`);
  const outcome = join(folder, "outcome");
  try {
    mkdirSync(folder);
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, script), join(folder, "out"), ...words],
      {
        encoding: "utf8",
      },
    );
    writeFileSync(`${outcome}.new`, status === 0 ? "" : `${script} failed: ${stderr}`, { flag: "wx" });
    renameSync(`${outcome}.new`, outcome);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    while (!existsSync(outcome)) sleep(LOOK_AGAIN_MS);
  }
  const failure = readFileSync(outcome, "utf8");
  if (failure) throw new Error(failure);
  return join(folder, "out");
}

/** The command as it is published. */
export const builtCommand = (): string =>
  join(buildOnce("command", "scripts/build.ts", "command"), "rethread.cjs");

/** How an app that a test makes starts itself again. */
export const builtSelf = (): readonly [string, string] => [process.execPath, builtCommand()];

/** Everything but the pages, as it is published: the command, the library and its types. Copy it before you change it. */
export const builtLibrary = (): string => buildOnce("library", "scripts/build.ts", "library");

/** A process of the hub's tests, by the name of its source in test/hub/ or test/soak/. */
export const builtHubProgram = (name: string): string =>
  join(buildOnce("hub-programs", "test/hub/build-programs.ts"), `${name}.mjs`);

/** The process that the kill tests kill; its folder is a place for Node's compile cache, too. */
export const builtChild = (): string => join(buildOnce("child", "test/edit/build-child.ts"), "child.mjs");

/** The pages of the web app, in dist/web, from where a server of the checkout takes them. */
export const builtWeb = (): void => void buildOnce("web", "scripts/build-web.ts");

/** The command as it is published, with the pages beside it. */
export function builtServer(): string {
  builtWeb();
  const command = builtCommand();
  try {
    symlinkSync(join(root, "dist/web"), join(dirname(command), "web"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // another worker was faster
  }
  return command;
}
