/** Reads the work tree, branch and remote of a folder from git's own files, without running git. */
import { dirname, join, resolve } from "node:path";
import { type FileStat, isErrno, type SessionFs } from "../fs/session-fs.ts";
import { chooseRemote, parseGitConfig, urlOfRemote } from "./git-config.ts";

export interface GitFolder {
  readonly root: string;
  /** Missing while no branch is checked out. */
  readonly branch?: string;
  /** The address of the remote that is called origin. */
  readonly origin?: string;
}

/** What the settings of a folder's repository say of where it came from. */
export interface GitRemote {
  /** The file that says it. */
  readonly config: string;
  /** The address as it is written there: `insteadOf` is not applied. */
  readonly url?: string;
}

/** Nothing for a folder that is in no work tree. */
export async function readGit(fs: SessionFs, folder: string): Promise<GitFolder | undefined> {
  const found = await findGit(fs, folder);
  if (!found) return undefined;
  const { root, branch, config } = found;
  const origin = urlOfRemote(parseGitConfig(await textAt(fs, config)), "origin");
  return { root, ...(branch !== undefined && { branch }), ...(origin !== undefined && { origin }) };
}

/** Nothing for a folder that is in no work tree. */
export async function readGitRemote(fs: SessionFs, folder: string): Promise<GitRemote | undefined> {
  const found = await findGit(fs, folder);
  if (!found) return undefined;
  const url = chooseRemote(parseGitConfig(await textAt(fs, found.config)), found.branch);
  return { config: found.config, ...(url !== undefined && { url }) };
}

interface Found {
  readonly root: string;
  readonly config: string;
  readonly branch?: string;
}

async function findGit(fs: SessionFs, folder: string): Promise<Found | undefined> {
  for (let root = folder; ; root = dirname(root)) {
    const place = await gitPlace(fs, join(root, ".git"));
    if (place !== undefined) {
      const head = await textAt(fs, join(place, "HEAD"));
      const branch = /^ref: refs\/heads\/(.+)/.exec(head)?.[1]?.trim();
      // A linked work tree has a HEAD of its own, and shares the settings.
      const shared = resolve(place, (await textAt(fs, join(place, "commondir"))).trim() || ".");
      return { root, config: join(shared, "config"), ...(branch !== undefined && { branch }) };
    }
    if (dirname(root) === root) return undefined;
  }
}

/** Mostly a folder; in linked work trees and submodules a file that names one. */
async function gitPlace(fs: SessionFs, path: string): Promise<string | undefined> {
  const stats = await statOrNothing(fs, path);
  if (!stats || stats.kind === "folder") return stats && path;
  const named = /^gitdir: (.+)/.exec(await textAt(fs, path))?.[1]?.trim();
  return named === undefined ? undefined : resolve(dirname(path), named);
}

async function statOrNothing(fs: SessionFs, path: string): Promise<FileStat | undefined> {
  try {
    return await fs.stat(path);
  } catch (error) {
    if (!isErrno(error, ...SILENT)) throw error;
    return undefined;
  }
}

/** Longer than any of these files. */
const LONGEST = 1 << 20;
/** Then the file tells nothing: the folder may be anything that somebody wrote into a session. */
const SILENT = ["ENOENT", "EACCES", "EPERM", "EISDIR", "ENOTDIR", "EINVAL", "ELOOP", "ENAMETOOLONG"];

async function textAt(fs: SessionFs, path: string): Promise<string> {
  try {
    return Buffer.from(await fs.read(path, { start: 0, end: LONGEST })).toString("utf8");
  } catch (error) {
    if (!isErrno(error, ...SILENT)) throw error;
    return "";
  }
}
