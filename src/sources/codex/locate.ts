/** Where Codex CLI keeps its logs, what their names say, and the commands that resume one. */
import { basename, join } from "node:path";
import type { Artifact } from "../../model/session/session.ts";
import { toShell } from "../../model/text/shell-words.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import type { Environment } from "../source.ts";

export const SOURCE = "codex";
export const ROOT_VARIABLE = "CODEX_HOME";

export function locate(env: Environment): string[] {
  return [env.vars[ROOT_VARIABLE] || join(env.homeDir, ".codex")];
}

/** Logs lie below it in folders of years, months and days. */
export const sessionsFolder = (root: string): string => join(root, "sessions");
/** Logs that a person put away lie in it side by side. */
export const archiveFolder = (root: string): string => join(root, "archived_sessions");
/** The names that people gave to sessions. */
export const namesFile = (root: string): string => join(root, "session_index.jsonl");

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const NAME = new RegExp(
  `^rollout-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d-(${UUID})(?:_(${UUID}))?\\.jsonl(\\.zst)?$`,
  "i",
);

export interface LogName {
  readonly session: string;
  /** One session has several logs after it was taken back to an earlier turn; each has an id of its own. */
  readonly log: string;
  readonly isCompressed: boolean;
}

/** Nothing for a file that Codex CLI would not take for a log. */
export function parseLogName(path: string): LogName | undefined {
  const found = NAME.exec(basename(path));
  if (found?.[1] === undefined) return undefined;
  const session = found[1].toLowerCase();
  return { session, log: found[2]?.toLowerCase() ?? session, isCompressed: found[3] !== undefined };
}

export const isArchived = ({ path, root }: Pick<Artifact, "path" | "root">): boolean =>
  isAtOrBelow(path, archiveFolder(root));

export const resumeWords = ({ id }: Pick<Artifact, "id">): string[] => ["codex", "resume", id];

/** Codex CLI resumes no session of the archive. */
export const resumeCommand = (artifact: Pick<Artifact, "id" | "path" | "root">): string =>
  isArchived(artifact)
    ? `${toShell(["codex", "unarchive", artifact.id])} && ${toShell(resumeWords(artifact))}`
    : toShell(resumeWords(artifact));
