/** Finds the workspace of a copy: the original's, another one that VS Code knows, or a new one. */
import { createHash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import type { Artifact } from "../../../../model/session/session.ts";
import { folderIdentity } from "../../../../platform/disk/folder-identity.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { uriOf } from "../../demo/compose-tools.ts";
import { findStores } from "../../index-db/stores.ts";
import { inBrowser } from "../list/list.ts";
import { type Home, homeIn, homeOf } from "./session-home.ts";

export interface Target {
  readonly home: Home;
  readonly isElsewhere: boolean;
  /** Set when VS Code has never opened it: what its `workspace.json` must say. */
  readonly unopened?: { readonly folder: string } | { readonly workspace: string };
}

/** A session of the same editor, or only its root. */
type Near = Pick<Artifact, "path" | "root">;

const WORKSPACE_FILE = /\.code-workspace$/;

/** An id as VS Code gives them, or the start of one, or a file that lists folders; nothing for all else, which then is a folder. */
export async function toWorkspace(
  fs: SessionFs,
  near: Near,
  text: string,
  folder: string,
): Promise<string | undefined> {
  if (WORKSPACE_FILE.test(text))
    return (await isFile(fs, resolve(folder, text))) ? resolve(folder, text) : undefined;
  if (await isStore(fs, near, text)) return text;
  return (await fs.exists(resolve(folder, text))) ? undefined : idStartingWith(fs, near, text);
}

/** So many characters of an id are enough, when no other begins with them. */
const SHORTEST = 8;

async function idStartingWith(fs: SessionFs, near: Near, start: string): Promise<string | undefined> {
  if (start.length < SHORTEST || !/^-?[0-9a-f]+$/.test(start)) return undefined;
  const ids: string[] = [];
  for (const { folder } of await findStores(fs, near.root, () => undefined))
    if (folder !== undefined && dirname(folder) === storageOf(near) && basename(folder).startsWith(start))
      ids.push(basename(folder));
  return ids.length === 1 ? ids[0] : undefined;
}

/** The editor that has such a workspace, else the first one that is here and keeps its list of chats on the disk. */
export async function chooseRoot(
  fs: SessionFs,
  roots: readonly string[],
  workspace: string | undefined,
): Promise<string | undefined> {
  const here: string[] = [];
  for (const root of roots) if (await fs.exists(root)) here.push(root);
  if (workspace !== undefined) {
    for (const root of here) if (await isStore(fs, { root, path: "" }, workspace)) return root;
  }
  for (const root of here) if (await fs.exists(join(root, "globalStorage"))) return root;
  return here[0];
}

export async function findTarget(fs: SessionFs, near: Near, workspace?: string): Promise<Target> {
  const own = homeOf(near);
  if (workspace === undefined) return { home: own, isElsewhere: false };
  const isKnown = await isStore(fs, near, workspace);
  const id = isKnown ? workspace : await idOf(fs, workspace);
  const home = homeIn(join(storageOf(near), id));
  const isElsewhere = home.folder !== own.folder;
  if (isKnown || (await fs.exists(home.folder ?? ""))) return { home, isElsewhere };
  if (await isInBrowser(fs, near)) throw inBrowser(home.database);
  const uri = uriOf(workspace).external;
  return {
    home,
    isElsewhere,
    unopened: WORKSPACE_FILE.test(workspace) ? { workspace: uri } : { folder: uri },
  };
}

/** Editors in a browser have chats here, but their lists there; and they have other ids for folders. */
async function isInBrowser(fs: SessionFs, near: Near): Promise<boolean> {
  const stores = await findStores(fs, near.root, () => undefined);
  let hasChats = false;
  for (const { database, sessions } of stores) {
    if (await fs.exists(database)) return false;
    hasChats ||= await fs.exists(sessions[0] ?? "");
  }
  return hasChats;
}

/** As VS Code computes it: by the path alone, a folder that was recreated at the same path would be the same. */
export async function idOf(fs: SessionFs, path: string): Promise<string> {
  if (!WORKSPACE_FILE.test(path)) return idOfFolder(path, await folderIdentity(fs, path));
  return md5(process.platform === "linux" ? path : path.toLowerCase());
}

/** Of a folder with this identity, wherever it is until it comes to that path. */
export const idOfFolder = (path: string, identity: string): string =>
  md5(`${withLowerDrive(path)}${identity}`);

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

const withLowerDrive = (path: string): string => path.replace(/^[A-Z]:/, (drive) => drive.toLowerCase());

function storageOf(near: Near): string {
  const { folder } = homeOf(near);
  return folder === undefined ? join(near.root, "workspaceStorage") : dirname(folder);
}

/** The name of one folder, and no way out of it. */
async function isStore(fs: SessionFs, near: Near, id: string): Promise<boolean> {
  if (basename(id) !== id || !/^[0-9A-Za-z-]+$/.test(id)) return false;
  const folder = join(storageOf(near), id);
  return (await fs.exists(folder)) && (await fs.stat(folder)).kind === "folder";
}

const isFile = async (fs: SessionFs, path: string): Promise<boolean> =>
  (await fs.exists(path)) && (await fs.stat(path)).kind === "file";
