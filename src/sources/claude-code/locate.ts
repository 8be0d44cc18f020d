/** Where Claude Code keeps its sessions, how it names them, and the command that resumes one. */
import { basename, dirname, join } from "node:path";
import type { Artifact } from "../../model/session/session.ts";
import { toShell } from "../../model/text/shell-words.ts";
import type { Environment } from "../source.ts";

export const ROOT_VARIABLE = "CLAUDE_CONFIG_DIR";

export function locate(env: Environment): string[] {
  return [env.vars[ROOT_VARIABLE] || join(env.homeDir, ".claude")];
}

export const projectsFolder = (root: string): string => join(root, "projects");

/** A transcript that a person named must not have folders that belong to others: all projects, one, or its notes. */
const ownName = (name: string): string => (/^(?:\.{1,2}|memory)$/i.test(name) ? `${name}_` : name);

/** A session's own folder beside its transcript: sub-agents, large tool results, its title. */
export const sessionFolder = (transcript: string): string =>
  join(dirname(transcript), ownName(basename(transcript).replace(/\.jsonl$/i, "")));

/** The name that a person gave it. */
export const titleFile = (transcript: string): string => join(sessionFolder(transcript), "custom-title.json");

/** Where its sub-agents write their logs. */
export const agentsFolder = (transcript: string): string => join(sessionFolder(transcript), "subagents");

/** States of files that it can rewind to. */
export const fileHistory = (root: string, id: string): string => join(root, "file-history", ownName(id));

const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Claude Code lists a transcript, and resumes it by its id, only if its name is a UUID. */
export const isSessionId = (name: string): boolean => SESSION_ID.test(name);

/** The name of a sub-agent's log. */
export const isAgentId = (name: string): boolean => /^agent-./s.test(name);

/** Any other transcript it takes by its path. */
export const resumeWords = ({ id, path }: Pick<Artifact, "id" | "path">): string[] => [
  "claude",
  "--resume",
  isSessionId(id) ? id : path,
];

export const resumeCommand = (artifact: Pick<Artifact, "id" | "path">): string =>
  toShell(resumeWords(artifact));

const LONGEST = 200;

/** The folder a workspace's sessions lie in. Not reversible: read `cwd` from the rows instead. */
export function folderName(workspace: string): string {
  const name = workspace.replace(/[^A-Za-z0-9]/g, "-");
  if (name.length <= LONGEST) return name;
  let hash = 0;
  for (let at = 0; at < workspace.length; at++) hash = (Math.imul(hash, 31) + workspace.charCodeAt(at)) | 0;
  return `${name.slice(0, LONGEST)}-${Math.abs(hash).toString(36)}`;
}
