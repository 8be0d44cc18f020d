/** From which folder to which a session moves, and what workspace.yaml says afterwards. */
import { splitLast } from "../../../../model/values/paths.ts";
import { type Relocation, relocate } from "../../../../model/values/relocate.ts";
import type { GitFolder } from "../../../../platform/disk/git-folder.ts";
import { repositoryOf } from "../copy/noted-folder.ts";
import type { Scalars } from "../copy/workspace-text.ts";

/**
 * A session in a folder of a repository that moved as a whole: from /old/sub to /new/sub it is /old that became /new, and
 * so paths beside the folder lead to the new place, too.
 */
export function widen({ from, to }: Relocation, gitRoot: string | undefined): Relocation {
  if (gitRoot === undefined || relocate(from, { from: gitRoot, to: "" }) === undefined) return { from, to };
  let wide: Relocation = { from, to };
  while (wide.from.length > gitRoot.length) {
    const [old, now] = [splitLast(wide.from), splitLast(wide.to)];
    if (!now || old?.name !== now.name || now.folder === "") break;
    wide = { from: old.folder, to: now.folder };
  }
  // Only part of the way up there is nothing that could have moved as a whole.
  return wide.from.length === gitRoot.length ? wide : { from, to };
}

export interface FormerFolder {
  readonly cwd: string;
  readonly gitRoot?: string;
  readonly repository?: string;
}

/**
 * Repository and branch stay what they are, as a move changes neither; only where the new folder belongs to another
 * repository on GitHub, it is that one from now on.
 */
export function toMovedFields(
  former: FormerFolder,
  cwd: string,
  relocation: Relocation,
  git?: GitFolder,
): Scalars {
  const gitRoot = git?.root ?? relocate(former.gitRoot ?? "", relocation);
  const repository = repositoryOf(git?.origin);
  const isOther = git !== undefined && repository !== undefined && repository !== former.repository;
  return {
    cwd,
    ...((gitRoot ?? former.gitRoot) !== undefined && { git_root: gitRoot }),
    ...(isOther && { repository, host_type: "github", branch: git.branch }),
  };
}
