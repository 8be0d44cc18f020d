/** Where Claude Code keeps its sessions: the config folder, and the name it gives a workspace's folder. */
import { join } from "node:path";
import type { Environment } from "../source.ts";

export function locate(env: Environment): string[] {
  return [env.vars.CLAUDE_CONFIG_DIR || join(env.homeDir, ".claude")];
}

export const projectsFolder = (root: string): string => join(root, "projects");

/** A session's own folder beside its transcript: sub-agents, large tool results, its title. */
export const sessionFolder = (transcript: string): string => transcript.replace(/\.jsonl$/, "");

const LONGEST = 200;

/** The folder a workspace's sessions lie in. Not reversible: read `cwd` from the rows instead. */
export function folderName(workspace: string): string {
  const name = workspace.replace(/[^A-Za-z0-9]/g, "-");
  if (name.length <= LONGEST) return name;
  let hash = 0;
  for (let at = 0; at < workspace.length; at++) hash = (Math.imul(hash, 31) + workspace.charCodeAt(at)) | 0;
  return `${name.slice(0, LONGEST)}-${Math.abs(hash).toString(36)}`;
}
