/** Which folder becomes which when a session, or a copy of it, is about another one. */
import type { Artifact } from "../../../../model/session/session.ts";
import { splitLast } from "../../../../model/values/paths.ts";
import { type Relocation, relocate } from "../../../../model/values/relocate.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asString } from "../../../log/jsonl.ts";
import type { SessionFolder } from "../copy/folder.ts";
import { readMetadata, tellMetadata } from "../copy/identity.ts";
import { readFields } from "../copy/workspace-text.ts";

export interface FormerFolder {
  readonly cwd: string;
  readonly gitRoot?: string;
  readonly repository?: string;
}

/** Nothing where the session does not record its folder, or keeps it. */
export async function relocationTo(
  fs: SessionFs,
  artifact: Artifact,
  folder: SessionFolder,
  to: string,
): Promise<Relocation | undefined> {
  const { text } = await readMetadata(fs, artifact, folder);
  const former = await formerFolder(fs, artifact, text);
  return former && former.cwd !== to ? widen({ from: former.cwd, to }, former.gitRoot) : undefined;
}

/** By its metadata, or by its log. */
export const formerFolder = async (
  fs: SessionFs,
  artifact: Artifact,
  metadata: string,
): Promise<FormerFolder | undefined> => folderIn(metadata) ?? folderIn(await tellMetadata(fs, artifact));

function folderIn(text: string): FormerFolder | undefined {
  const fields = readFields(text);
  const [cwd, gitRoot, repository] = [fields.cwd, fields.git_root, fields.repository].map(asString);
  if (cwd === undefined) return undefined;
  return { cwd, ...(gitRoot !== undefined && { gitRoot }), ...(repository !== undefined && { repository }) };
}

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
