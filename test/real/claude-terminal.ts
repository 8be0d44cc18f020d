/** The real Claude Code in a terminal, which alone notes the states of files: prompts in, answers out. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { toShell } from "../../src/model/text/shell-words.ts";
import { anthropic } from "./anthropic.ts";
import { type ClaudeHome, findProgram, offline, transcriptOf } from "./claude.ts";
import { type ScriptedModel, type Step, scripted, startModel } from "./scripted-model.ts";

const PATIENCE_MS = 60_000;

/** Says each prompt once the one before is answered, and gives back when the program has ended. */
export async function talkInTerminal(
  home: ClaudeHome,
  words: readonly string[],
  id: string,
  prompts: readonly { readonly ask: string; readonly steps: readonly Step[] }[],
): Promise<void> {
  const model = await startModel(anthropic);
  const env = { ...offline(home, model), TERM: "xterm-256color", SHELL: "/bin/sh" };
  welcome(home, model);
  const program = [findProgram(), "--dangerously-skip-permissions", ...words];
  const child = spawn("script", ["-qec", `stty cols 120 rows 40; exec ${toShell(program)}`, "/dev/null"], {
    cwd: home.workspace,
    env,
    detached: true,
  });
  let shown = "";
  child.stdout.on("data", (piece) => {
    shown += piece;
  });
  // The key that ends the program may be pressed once more before its end is known.
  child.stdin.on("error", () => undefined);
  const said = (): string =>
    existsSync(transcriptOf(home, id)) ? readFileSync(transcriptOf(home, id), "utf8") : "";
  const until = (holds: () => boolean): Promise<boolean> =>
    vi.waitUntil(holds, { timeout: PATIENCE_MS, interval: 200 });
  /** What comes together with a text counts as pasted, so a key is pressed until it works. */
  const press = (key: string, works: () => boolean): Promise<boolean> =>
    until(() => {
      if (!works()) child.stdin.write(key);
      return works();
    });
  try {
    await until(() => shown.includes("❯"));
    for (const { ask, steps } of prompts) {
      child.stdin.write(scripted(ask, ...steps));
      await until(() => shown.includes(ask));
      await press("\r", () => said().includes(`"content":"${ask} SCRIPT`));
      await until(() => said().includes(`"text":${JSON.stringify(steps.at(-1)?.say)}`));
    }
    await press("\x03", () => child.exitCode !== null);
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    await model.close();
  }
}

/** Without the questions that it asks people when they first start it. */
function welcome({ root, workspace }: ClaudeHome, model: ScriptedModel): void {
  const key = String(offline({ root, workspace, remove: () => undefined }, model).ANTHROPIC_API_KEY);
  writeFileSync(
    join(root, ".claude.json"),
    JSON.stringify({
      ...{ hasCompletedOnboarding: true, theme: "dark", bypassPermissionsModeAccepted: true },
      customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
      projects: { [workspace]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    }),
  );
}
