/** Which sessions continue the work in a folder: what git says of it, matched with what is known of sessions. */
import type { Session } from "../model/session/session.ts";
import { readGit } from "../platform/disk/git-folder.ts";
import { realPath } from "../platform/fs/fs-links.ts";
import { countEqual, type FolderMatches, type Here, rankForFolder } from "../query/folder-matches.ts";
import type { Catalog } from "../sources/catalog.ts";

export async function matchFolder(
  { fs, folders }: Pick<Catalog, "fs" | "folders">,
  folder: string,
  sessions: readonly Session[],
): Promise<FolderMatches> {
  const real = await realPath(fs, folder);
  const [git, clone] = [await readGit(fs, real), await folders.of(real)];
  const here: Here = {
    folder,
    ...(real !== folder && { realFolder: real }),
    ...(git && { gitRoot: git.root }),
    ...(git?.branch !== undefined && { branch: git.branch }),
    ...(clone?.repository !== undefined && { repository: clone.repository }),
  };
  const matches = rankForFolder(sessions, here);
  return { here, matches, equal: countEqual(matches) };
}
