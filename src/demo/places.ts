/** Where the demo lies, and the environment in which each source finds its part of it. */
import { join } from "node:path";
import type { SourceId } from "../model/session/session.ts";
import { memberOf } from "../model/values/member.ts";

interface SourceHome {
  /** The source's root, below the demo's folder. */
  readonly root: string;
  /** The variable that leads a source to its root, and what it must name below the demo's folder. */
  readonly variable: string;
  readonly value: string;
}

/** Spelt out, as no command is to load every source for it; a test compares it with the sources. */
const PLACES: Readonly<Record<SourceId, SourceHome>> = {
  "copilot-cli": { root: "copilot", variable: "COPILOT_HOME", value: "copilot" },
  "claude-code": { root: "claude", variable: "CLAUDE_CONFIG_DIR", value: "claude" },
  codex: { root: "codex", variable: "CODEX_HOME", value: "codex" },
  vscode: { root: "vscode/User", variable: "VSCODE_STORAGE_PATH", value: "vscode/User/workspaceStorage" },
};

export const demoFolder = (home: string): string => join(home, "demo");

/** Below it lies a folder for each repository that the stories are about. */
export const workFolder = (demo: string): string => join(demo, "work");

/** What every source needs to find its part of the demo in this folder, and nothing else. */
export const demoVars = (demo: string): Record<string, string> =>
  Object.fromEntries(Object.values(PLACES).map(({ variable, value }) => [variable, join(demo, value)]));

export function rootIn(demo: string, source: SourceId): string {
  const place = memberOf(PLACES, source);
  if (!place) throw new Error(`the demo has no place for ${source}`);
  return join(demo, place.root);
}
