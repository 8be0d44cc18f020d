/** A folder as Copilot CLI records it, in session.start and in workspace.yaml. */
import { readGit } from "../../../../platform/disk/git-folder.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { JsonObject } from "../../../log/jsonl.ts";
import type { Scalars } from "./workspace-text.ts";

export interface NotedFolder {
  /** Members of session.start's context; `undefined` takes what was said of the old folder away. */
  readonly context: JsonObject;
  readonly fields: Scalars;
  readonly isInRepository: boolean;
}

const GITHUB = /github\.com[:/]([^/\s]+\/[^/\s]+?)(?:\.git)?\/?$/;

/** `owner/name`, where the remote is on GitHub. */
export const repositoryOf = (origin: string | undefined): string | undefined =>
  GITHUB.exec(origin ?? "")?.[1];

export async function noteFolder(fs: SessionFs, cwd: string): Promise<NotedFolder> {
  const git = await readGit(fs, cwd);
  const repository = repositoryOf(git?.origin);
  const host = repository === undefined ? undefined : "github";
  return {
    context: {
      cwd,
      gitRoot: git?.root,
      repository,
      hostType: host,
      repositoryHost: host && "github.com",
      branch: git?.branch,
      headCommit: undefined,
      baseCommit: undefined,
    },
    fields: { cwd, git_root: git?.root, repository, host_type: host, branch: git?.branch },
    isInRepository: git !== undefined,
  };
}
