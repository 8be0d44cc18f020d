/** Keeps the repositories of sessions in step with the git remotes of their folders, without reading a session again. */
import { dirname } from "node:path";
import { isAtOrBelow } from "../model/values/paths.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { NearestGit } from "../sources/machine/folder-repositories.ts";
import { type FolderRow, isGone } from "../store/folder-rows.ts";
import type { SessionStore } from "../store/session-store.ts";

/**
 * Asks for the file that told of each folder and for each `.git` above it, and reads only those that changed. A folder that is gone keeps what was known of it: work
 * trees are removed when their branch is merged, and their sessions are still about the repository.
 */
export async function followFolders(
  { folders }: Pick<Catalog, "folders">,
  store: SessionStore,
  hasNews: boolean,
): Promise<readonly string[]> {
  const rows = store.folders();
  const known = rows.all();
  const stamps = await folders.stamps(known.map(({ told }) => told));
  const nearest = await folders.nearest(known.map(({ folder }) => folder));
  const news: FolderRow[] = [];
  for (const [at, row] of known.entries()) {
    const { mtimeMs, size } = stamps[at] ?? NOWHERE;
    if (mtimeMs === row.mtimeMs && size === row.size && isStillTold(row, nearest[at])) continue;
    const found = await look(folders, row.folder, folders.again);
    const next = row.repository !== null && isGone(found) ? { ...found, repository: row.repository } : found;
    if (!isSame(next, row)) news.push(next);
  }
  // They were looked at when their sessions were read.
  if (hasNews) for (const folder of rows.unknown()) news.push(await look(folders, folder, folders.of));
  return hasNews || news.length > 0 ? store.setFolders(news) : [];
}

/** Whether the same repository is the nearest one. The file of a linked work tree leads away from the folders above it. */
function isStillTold({ folder, told }: FolderRow, nearest: NearestGit | undefined): boolean {
  if (nearest?.config !== undefined) return told === nearest.config;
  const isFromAbove = isAtOrBelow(folder, dirname(dirname(told))) || told === folder;
  return nearest ? !isFromAbove : isFromAbove;
}

const isSame = (one: FolderRow, other: FolderRow): boolean =>
  one.repository === other.repository &&
  one.told === other.told &&
  one.mtimeMs === other.mtimeMs &&
  one.size === other.size;

type Folders = Catalog["folders"];

async function look(folders: Folders, folder: string, ask: Folders["of"]): Promise<FolderRow> {
  const found = await ask(folder);
  const [place, stamp] = found ? await folders.stamps([folder, found.told]) : [];
  const isThere = place !== undefined && place.mtimeMs !== null;
  // Where the folder is gone, its return is what would change it. A repository around it is still there.
  if (!found || !stamp || (!isThere && found.repository === undefined))
    return { folder, repository: null, told: folder, ...NOWHERE };
  return { folder, repository: found.repository ?? null, told: found.told, ...stamp };
}

const NOWHERE = { mtimeMs: null, size: null };
