/** The process of child.ts as something that a test can start hundreds of times, and that dies when it is told to. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import { askJournal } from "../../src/store/state/journal.ts";
import type { EditHome } from "./home.ts";
import { NOW } from "./source-homes.ts";
import type { VsCodeHome } from "./vscode-home.ts";

/** The agent's folder, and our own. */
type KilledHome = Pick<EditHome, "copilot" | "data"> | Pick<VsCodeHome, "user" | "data">;

/** Whether the write of the process that was to die at this moment took place, as the journal has it. */
export const wasDone = (home: Pick<KilledHome, "data">, killAt: number): boolean =>
  askJournal(
    home.data,
    () => NOW,
    (journal) => journal?.find(`0p${killAt}`)?.state === "committed",
  );

export interface KilledChild {
  readonly path: string;
  /** True when it was killed. */
  isKilled(home: KilledHome, planFile: string, killAt: number): boolean;
  remove(): void;
}

/** More than a thousand processes load the same files: as one bundle, compiled once, since the killed keep nothing. */
export async function compileChild(): Promise<KilledChild> {
  const folder = mkdtempSync(join(tmpdir(), "rethread-compiled-"));
  const path = join(folder, "child.mjs");
  await build({
    input: join(import.meta.dirname, "child.ts"),
    platform: "node",
    logLevel: "warn",
    output: { file: path, format: "esm", codeSplitting: false },
  });
  return {
    path,
    isKilled(home, planFile, killAt) {
      const [root, ...source] = "user" in home ? [home.user, "vscode"] : [home.copilot];
      const { signal, status, stderr } = spawnSync(
        process.execPath,
        [path, root, home.data, planFile, String(killAt), ...source],
        { encoding: "utf8", env: { ...process.env, NODE_COMPILE_CACHE: folder } },
      );
      if (signal !== "SIGKILL" && status !== 0) throw new Error(stderr);
      return signal === "SIGKILL";
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
