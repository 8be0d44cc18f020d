/** The process of child.ts as something that a test can start hundreds of times, and that dies when it is told to. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import type { EditHome } from "./home.ts";

export interface KilledChild {
  readonly path: string;
  /** True when it was killed. */
  isKilled(home: Pick<EditHome, "copilot" | "data">, planFile: string, killAt: number): boolean;
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
    isKilled({ copilot, data }, planFile, killAt) {
      const { signal, status, stderr } = spawnSync(
        process.execPath,
        [path, copilot, data, planFile, String(killAt)],
        { encoding: "utf8", env: { ...process.env, NODE_COMPILE_CACHE: folder } },
      );
      if (signal !== "SIGKILL" && status !== 0) throw new Error(stderr);
      return signal === "SIGKILL";
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
