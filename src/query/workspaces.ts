/** Lists workspaces: those that programs keep by ids of their own, and the folders of all other sessions. */
import type { Session, SourceId } from "../model/session/session.ts";
import { splitLast } from "../model/values/paths.ts";
import { placeOfFolder, type WorkspacePlace } from "../model/values/workspace-place.ts";
import type { Catalog, PlacedWorkspace } from "../sources/catalog.ts";
import { workspaceExists } from "../sources/machine/workspace-missing.ts";
import type { SessionStore } from "../store/session-store.ts";
import { findSessions } from "../store/sessions.ts";
import { type Progress, readHeads } from "./heads.ts";

export interface WorkspaceSummary extends WorkspacePlace {
  readonly source: SourceId;
  readonly id?: string;
  readonly editor?: string;
  readonly sessions: number;
  /** Of its latest session that has one: folders of other machines are the same project where it is the same. */
  readonly repository?: string;
  readonly lastUsedAt?: string;
  /** Undefined where this machine cannot know: a place elsewhere, or no folder at all. */
  readonly exists?: boolean;
}

export interface WorkspaceList {
  /** The one that was used last comes first. */
  readonly workspaces: readonly WorkspaceSummary[];
}

export function workspacesOf(
  catalog: Catalog,
  { db }: Pick<SessionStore, "db">,
  sources?: readonly SourceId[],
): Promise<WorkspaceList> {
  return summarize(catalog, findSessions(db, sources ? { sources } : {}), sources);
}

/** The same by reading every session, for when the store cannot be used. */
export async function workspacesFromFiles(
  catalog: Catalog,
  sources?: readonly SourceId[],
  progress?: Progress,
): Promise<WorkspaceList> {
  const { heads } = await readHeads(catalog, {
    skim: true,
    onDisk: true,
    ...(sources && { sources }),
    ...(progress && { progress }),
  });
  return summarize(
    catalog,
    heads.map(({ session }) => session),
    sources,
  );
}

async function summarize(
  catalog: Catalog,
  all: readonly Session[],
  sources: readonly SourceId[] | undefined,
): Promise<WorkspaceList> {
  const known = await catalog.workspaces(sources);
  const holders = new Map(known.flatMap((each) => each.holds.map((folder) => [folder, each])));
  const present = all.filter(({ vanishedAt }) => vanishedAt === undefined);
  const byHolder = Map.groupBy(present, ({ path }) => holderOf(path, holders));
  const found: WorkspaceSummary[] = [];
  for (const workspace of known) {
    const { holds: _, usedMs, ...place } = workspace;
    const own = byHolder.get(workspace) ?? [];
    // What is left of a window without a folder is no place to go to.
    if (own.length === 0 && place.kind === "none") continue;
    const used = usedMs === undefined ? undefined : new Date(usedMs).toISOString();
    found.push({ ...place, ...counted(own, used), ...(await existence(catalog, place)) });
  }
  const left = byHolder.get(undefined) ?? [];
  const byFolder = Map.groupBy(left, ({ source, workspace }) => JSON.stringify([source, workspace ?? null]));
  for (const own of byFolder.values()) {
    const [first] = own;
    if (!first) continue;
    const place = placeOfFolder(first.workspace);
    found.push({ source: first.source, ...place, ...counted(own), ...(await existence(catalog, place)) });
  }
  return { workspaces: found.sort(byUse) };
}

/** The nearest folder around its file that holds the sessions of a workspace. */
function holderOf(path: string, holders: ReadonlyMap<string, PlacedWorkspace>): PlacedWorkspace | undefined {
  for (let at = splitLast(path); at !== undefined && at.folder !== ""; at = splitLast(at.folder)) {
    const holder = holders.get(at.folder);
    if (holder) return holder;
  }
  return undefined;
}

function counted(
  sessions: readonly Session[],
  used = "",
): Pick<WorkspaceSummary, "sessions" | "repository" | "lastUsedAt"> {
  const repository = sessions
    .filter((session) => session.repository !== undefined)
    .toSorted((a, b) => compare(b.updatedAt ?? "", a.updatedAt ?? ""))[0]?.repository;
  const last = sessions
    .map(({ updatedAt = "" }) => updatedAt)
    .reduce((a, b) => (compare(a, b) < 0 ? b : a), used);
  return {
    sessions: sessions.length,
    ...(repository !== undefined && { repository }),
    ...(last !== "" && { lastUsedAt: last }),
  };
}

async function existence(
  { fs }: Catalog,
  { kind, folder }: WorkspacePlace,
): Promise<Pick<WorkspaceSummary, "exists">> {
  const exists = folder === undefined || kind === "remote" ? undefined : await workspaceExists(fs, folder);
  return exists === undefined ? {} : { exists };
}

const byUse = (a: WorkspaceSummary, b: WorkspaceSummary): number =>
  compare(b.lastUsedAt ?? "", a.lastUsedAt ?? "") ||
  compare(a.source, b.source) ||
  compare(a.folder ?? "", b.folder ?? "") ||
  compare(a.id ?? "", b.id ?? "");

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
