/** The repositories that folders are clones of, by their git remotes: each folder is looked at once between two scans. */
import { dirname, isAbsolute, join } from "node:path";
import type { Session } from "../../model/session/session.ts";
import { toRepositoryName } from "../../model/values/repository.ts";
import { nameHere, placeKey } from "../../model/values/same-place.ts";
import { readGitRemote } from "../../platform/disk/git-folder.ts";
import { type SessionFs, type StatAnswer, statEach } from "../../platform/fs/session-fs.ts";
import { isSystemError } from "../isolation.ts";

export interface FolderRepository {
  /** Missing for a folder that is no clone, or is not there. */
  readonly repository?: string;
  /** The file that says it, or whose appearance would change it. */
  readonly told: string;
}

/** Null for what is not there. */
export interface FileStamp {
  readonly mtimeMs: number | null;
  readonly size: number | null;
}

export interface NearestGit {
  /** The settings of the repository, where it is a folder; the file of a linked work tree may name any. */
  readonly config?: string;
}

export interface FolderRepositories {
  /** Nothing for what is no folder of this machine. */
  of(workspace: string): Promise<FolderRepository | undefined>;
  /** The same, looked at now. */
  again(workspace: string): Promise<FolderRepository | undefined>;
  /** When these files were last changed, and how long they are. */
  stamps(paths: readonly string[]): Promise<FileStamp[]>;
  /** The nearest `.git` in or above each of these folders, without reading it. */
  nearest(workspaces: readonly string[]): Promise<(NearestGit | undefined)[]>;
  forget(): void;
}

/** Remembers what a folder was a clone of that says nothing now. */
export type RecallRepository = (folder: string) => Promise<string | undefined>;

/** A network share may take seconds to answer, or forever. */
const SHARE = /^[\\/]{2}/;
const WORKSPACE_FILE = /\.code-workspace$/i;

export function createFolderRepositories(fs: SessionFs, recall?: RecallRepository): FolderRepositories {
  const known = new Map<string, Promise<FolderRepository>>();
  const look = async (workspace: string, near: string): Promise<FolderRepository> => {
    const folder = folderOf(near);
    const none = { told: join(folder, ".git") };
    try {
      const found = await readGitRemote(fs, folder);
      const repository = toRepositoryName(found?.url ?? "") ?? (await recall?.(workspace));
      return { told: found?.config ?? none.told, ...(repository !== undefined && { repository }) };
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return none;
    }
  };
  const ask = async (workspace: string, isNow: boolean): Promise<FolderRepository | undefined> => {
    const near = nearName(workspace);
    if (near === undefined) return undefined;
    const found = (isNow ? undefined : known.get(workspace)) ?? look(workspace, near);
    known.set(workspace, found);
    return found;
  };
  return {
    of: (workspace) => ask(workspace, false),
    again: (workspace) => ask(workspace, true),
    async stamps(paths) {
      const near = paths.filter(isNear);
      const stats = new Map((await statEach(fs, near)).map((stat, at) => [near[at], stat]));
      return paths.map((path) => toStamp(stats.get(path)));
    },
    async nearest(workspaces) {
      const places = workspaces.map((each) => {
        const near = nearName(each);
        return near === undefined ? [] : gitPlaces(folderOf(near));
      });
      const all = [...new Set(places.flat())];
      const kinds = new Map((await statEach(fs, all)).map((stat, at) => [all[at], kindOf(stat)]));
      return places.map((above) => {
        const place = above.find((each) => kinds.get(each) !== undefined);
        if (place === undefined) return undefined;
        return kinds.get(place) === "folder" ? { config: join(place, "config") } : {};
      });
    },
    forget: () => known.clear(),
  };
}

const folderOf = (workspace: string): string =>
  WORKSPACE_FILE.test(workspace) ? dirname(workspace) : workspace;

/** On a disk of this machine. */
const isNear = (path: string): boolean => isAbsolute(path) && !SHARE.test(path);

/** The folder as this machine knows it: Windows and WSL, a container and its host have names of their own for one folder. */
const nearName = (workspace: string): string | undefined =>
  [workspace, nameHere(workspace, process.platform)].find((name) => name !== undefined && isNear(name));

/** In the folder and all above it, the nearest first. */
function gitPlaces(folder: string): string[] {
  const places: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    places.push(join(at, ".git"));
    if (dirname(at) === at) return places;
  }
}

const kindOf = (stat: StatAnswer) => (stat instanceof Error ? undefined : stat?.kind);

const toStamp = (stat: StatAnswer): FileStamp =>
  stat === undefined || stat instanceof Error
    ? { mtimeMs: null, size: null }
    : { mtimeMs: stat.mtimeMs, size: stat.size };

/** The one rule of what a session's repository is: what it recorded, else the remote of its folder. */
export async function withRepository(
  { repository, repositoryHost, ...session }: Session,
  folders: FolderRepositories,
): Promise<Session> {
  const recorded = repository === undefined ? undefined : toRepositoryName(repository, repositoryHost);
  if (recorded !== undefined) return { ...session, repository: recorded };
  const told = session.workspace === undefined ? undefined : await folders.of(session.workspace);
  return told?.repository === undefined ? session : inRepository(session, told.repository);
}

const inRepository = (session: Session, repository: string): Session => ({
  ...session,
  repository,
  repositoryFrom: "folder",
});

/** A folder that says nothing, as one that is gone, may be known by what other sessions of it recorded. */
export function withNeighbours(sessions: readonly Session[]): Session[] {
  const known = new Map<string, string>();
  for (const { workspace, repository, repositoryFrom } of sessions) {
    if (workspace === undefined || repository === undefined || repositoryFrom !== undefined) continue;
    const place = placeKey(workspace);
    if (repository > (known.get(place) ?? "")) known.set(place, repository);
  }
  return sessions.map((session) => {
    const isSilent = session.repository === undefined && session.workspace !== undefined;
    const repository = isSilent ? known.get(placeKey(session.workspace ?? "")) : undefined;
    return repository === undefined ? session : inRepository(session, repository);
  });
}
