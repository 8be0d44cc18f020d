/** Keeps the repositories of sessions in step with the git remotes of their folders, without reading a session again. */
import type { Catalog } from "../sources/catalog.ts";
import type { FolderRow } from "../store/folder-rows.ts";
import type { SessionStore } from "../store/session-store.ts";

/**
 * Asks for one file per folder, and reads only those that changed. A folder that is gone keeps what was known of it: work
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
  const news: FolderRow[] = [];
  for (const [at, row] of known.entries()) {
    const { mtimeMs, size } = stamps[at] ?? NOWHERE;
    if (mtimeMs === row.mtimeMs && size === row.size) continue;
    const [place] = await folders.stamps([row.folder]);
    const isKept = row.repository !== null && (place ?? NOWHERE).mtimeMs === null;
    news.push(
      isKept ? { ...row, told: row.folder, ...NOWHERE } : await look(folders, row.folder, folders.again),
    );
  }
  // They were looked at when their sessions were read.
  if (hasNews) for (const folder of rows.unknown()) news.push(await look(folders, folder, folders.of));
  return hasNews || news.length > 0 ? store.setFolders(news) : [];
}

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
