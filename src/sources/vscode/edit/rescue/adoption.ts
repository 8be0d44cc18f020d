/** Finds the workspace to which the chats of a re-created or renamed folder belong now. */
import { basename, dirname, join } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import type { Adoption } from "../../../../model/plan-facts.ts";
import { nameSome } from "../../../../model/text/name-some.ts";
import { realPath } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { workspaceMissing } from "../../../machine/workspace-missing.ts";
import { isList } from "../../index-db/workspace.ts";
import { findByRemote } from "../../moved-folders.ts";
import { type StoreScan, scanStores } from "../../scan.ts";
import { findTarget, idOf, type Target } from "../copy/target.ts";
import { openList } from "./index-state.ts";

/** The chats of one storage folder, and the one that they go to. */
export interface Follow {
  readonly from: StoreScan;
  readonly folder: string;
  readonly to: string;
  readonly target: Target;
  readonly why: string;
}

export interface Adoptions {
  readonly follows: readonly Follow[];
  readonly left: readonly Adoption[];
}

/** Nothing is guessed: a folder is the same by its path, or as the only one with the git remote of the old one. */
export async function findAdoptions(fs: SessionFs, root: string): Promise<Adoptions> {
  const scans = await withoutLinks(fs, await scanStores(fs, root, () => undefined));
  const follows: Follow[] = [];
  const left: Adoption[] = [];
  for (const scan of scans.toSorted((a, b) => latestOf(b) - latestOf(a))) {
    const found = await findFollow(fs, root, scan, scans).catch(toReason);
    if (!found) continue;
    const why = "target" in found ? await whyUnfit(fs, found) : found.why;
    if ("target" in found && why === undefined) follows.push(found);
    else left.push(toLeft(scan, why ?? ""));
  }
  return { follows, left };
}

/** A link to a storage folder beside it is a second name for the same chats. */
async function withoutLinks(fs: SessionFs, scans: readonly StoreScan[]): Promise<readonly StoreScan[]> {
  const byPlace = new Map<string, StoreScan>();
  for (const scan of scans) {
    const { folder, database } = scan.store;
    const place = await realPath(fs, folder ?? database);
    const isLink = folder !== undefined && basename(place) !== basename(folder);
    if (!byPlace.has(place) || !isLink) byPlace.set(place, scan);
  }
  return [...byPlace.values()];
}

export const toLeft = (
  { workspace, artifacts }: StoreScan,
  why: string,
  sessions = artifacts.length,
): Adoption => {
  const from = workspace?.name ?? "";
  return { from, sessions, why, remedy: { action: "move", args: { from }, asks: { to: "folder" } } };
};

/** An editor in a browser, for one, has no list that could be changed here. */
const toReason = (error: unknown): { readonly why: string } => {
  if (!(error instanceof AppError)) throw error;
  return { why: error.message };
};

const latestOf = ({ artifacts }: StoreScan): number =>
  Math.max(0, ...artifacts.map(({ fingerprint }) => fingerprint.mtimeMs));

async function findFollow(
  fs: SessionFs,
  root: string,
  from: StoreScan,
  scans: readonly StoreScan[],
): Promise<Follow | { readonly why: string } | undefined> {
  const { store, workspace, artifacts } = from;
  if (!workspace?.isLocal || store.folder === undefined || artifacts.length === 0) return undefined;
  const folder = workspace.name;
  const follow = async (to: string, why: string): Promise<Follow> => {
    const target = await findTarget(fs, { root, path: artifacts[0]?.path ?? "" }, to);
    return { from, folder, to, target, why };
  };
  if (await fs.exists(folder)) {
    const isReplaced = !isList(folder) && (await hasNewStore(fs, store.folder, folder));
    return isReplaced ? follow(folder, "the folder was deleted and created again") : undefined;
  }
  if (!(await workspaceMissing(fs, folder))) return undefined;
  if (isList(folder)) return { why: "it is a list of folders, which has no git remote to know it by" };
  const places = await findByRemote(fs, from, scans);
  if (!places) return { why: "its chats do not say which git remote it had" };
  const [place, ...others] = places;
  if (place === undefined) return { why: "no folder with its git remote was found" };
  if (others.length === 0) return follow(place, "the folder has the same git remote");
  return { why: `${places.length} folders have its git remote: ${nameSome(places)}` };
}

/** VS Code has opened what is at that path now: it has a storage folder for it, and this is another one. */
async function hasNewStore(fs: SessionFs, store: string, folder: string): Promise<boolean> {
  if (!fs.isDisk) return false;
  const used = join(dirname(store), await idOf(fs, folder));
  if (basename(used) === basename(store) || !(await fs.exists(used))) return false;
  return (await realPath(fs, used)) !== (await realPath(fs, store));
}

/** Both lists must be ones that can be changed: what leaves one has to arrive in the other. */
async function whyUnfit(fs: SessionFs, { from, target }: Follow): Promise<string | undefined> {
  const own = await openList(fs, from.store, true);
  if (own.newer !== undefined || own.state === "out-of-reach") return own.newer ?? own.why ?? UNREADABLE;
  if (target.unopened) return undefined;
  const { folder, sessions, database } = target.home;
  const store = { ...(folder !== undefined && { folder }), sessions: [sessions], database };
  const list = await openList(fs, store, true);
  if (list.newer !== undefined) return list.newer;
  return list.state === "there" ? undefined : (list.why ?? UNREADABLE);
}

const UNREADABLE = "the list of chats of one of the two workspaces cannot be read";
