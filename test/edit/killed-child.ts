/** The process of child.ts, which dies when it is told to. */
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { askJournal } from "../../src/store/state/journal.ts";
import { builtChild } from "../built.ts";
import type { ClaudeDisk } from "./claude-disk.ts";
import type { EditHome } from "./home.ts";
import type { Programs } from "./programs.ts";
import { NOW } from "./source-homes.ts";
import type { VsCodeHome } from "./vscode-home.ts";

/** The agent's folder, and our own. */
export type KilledHome = (
  | Pick<EditHome, "copilot">
  | Pick<VsCodeHome, "user">
  | Pick<ClaudeDisk, "claude">
  | Pick<Programs, "programs">
) & {
  readonly data: string;
};

/** The agent's folder, and whose it is. */
export function agentOf(home: KilledHome): { readonly root: string; readonly source: string } {
  if ("programs" in home) return { root: home.programs, source: "all" };
  if ("user" in home) return { root: home.user, source: "vscode" };
  return "claude" in home
    ? { root: home.claude, source: "claude-code" }
    : { root: home.copilot, source: "copilot-cli" };
}

/** What the write is called in the journal. */
export const OPERATION = "0p1";

/** Whether the write took place, as the journal has it. */
export const wasDone = (data: string): boolean =>
  askJournal(
    data,
    () => NOW,
    (journal) => journal?.find(OPERATION)?.state === "committed",
  );

/** True when it was killed; `recover` instead of a file recovers from an earlier kill. */
export function isKilled(home: KilledHome, planFile: string, killAt: number): boolean {
  const { root, source } = agentOf(home);
  const child = builtChild();
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [child, root, home.data, planFile, String(killAt), OPERATION, source],
    { encoding: "utf8", env: { ...process.env, NODE_COMPILE_CACHE: dirname(child) } },
  );
  if (signal !== "SIGKILL" && status !== 0) throw new Error(stderr);
  return signal === "SIGKILL";
}
