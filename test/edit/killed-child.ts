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
export type KilledHome = (Pick<EditHome, "copilot"> | Pick<VsCodeHome, "user">) & { readonly data: string };

/** What the write is called in the journal. */
export const OPERATION = "0p1";

/** Whether the write took place, as the journal has it. */
export const wasDone = (data: string): boolean =>
  askJournal(
    data,
    () => NOW,
    (journal) => journal?.find(OPERATION)?.state === "committed",
  );

export interface KilledChild {
  readonly path: string;
  /** True when it was killed; `recover` instead of a file recovers from an earlier kill. */
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
        [path, root, home.data, planFile, String(killAt), OPERATION, ...source],
        { encoding: "utf8", env: { ...process.env, NODE_COMPILE_CACHE: folder } },
      );
      if (signal !== "SIGKILL" && status !== 0) throw new Error(stderr);
      return signal === "SIGKILL";
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
