/** The folder on this machine that a session of another one is about: a clone of the same repository. */
import { join } from "node:path";
import type { SessionFacts } from "../../hub/protocol.ts";
import { segmentsOf } from "../../model/values/paths.ts";
import { realFolder } from "../../platform/disk/folders.ts";
import { readGit } from "../../platform/disk/git-folder.ts";
import { byActivity } from "../../query/list.ts";
import { findSessions } from "../../store/sessions.ts";
import type { Request } from "../request.ts";

/** Nothing where no such folder is known. `here` is where the command runs. */
export async function findLocalFolder(
  { catalog, askStoreOrNot }: Pick<Request, "catalog" | "askStoreOrNot">,
  { repository, workspace }: SessionFacts,
  here: string,
): Promise<string | undefined> {
  if (repository === undefined) return workspace === undefined ? undefined : realFolder(workspace);
  const known = await askStoreOrNot(({ db }) => findSessions(db, { repository, exact: true }));
  const places = await catalog.workspaces();
  const candidates = [
    ...(workspace === undefined ? [] : [workspace]),
    here,
    ...(known ?? []).toSorted(byActivity).flatMap((session) => session.workspace ?? []),
    ...places.flatMap(({ kind, folder }) => (kind === "folder" && folder !== undefined ? [folder] : [])),
  ];
  for (const candidate of new Set(candidates)) {
    const folder = await realFolder(candidate);
    if (folder === undefined) continue;
    const found = await catalog.folders.again(folder);
    if (found?.repository?.toLowerCase() !== repository.toLowerCase()) continue;
    if (candidate === workspace) return folder;
    const root = (await readGit(catalog.fs, folder))?.root ?? folder;
    return (await sameFolderBelow(root, repository, workspace)) ?? root;
  }
  return undefined;
}

/** The work may have been about a folder within the clone, which is there in every clone. */
async function sameFolderBelow(
  root: string,
  repository: string,
  workspace: string | undefined,
): Promise<string | undefined> {
  const segments = segmentsOf(workspace ?? "").filter(Boolean);
  const at = segments.lastIndexOf(segmentsOf(repository).at(-1) ?? "");
  const below = at < 0 ? [] : segments.slice(at + 1);
  return below.length === 0 ? undefined : realFolder(join(root, ...below));
}
