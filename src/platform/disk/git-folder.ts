/** Reads the work tree, branch and remote of a folder from git's own files, without running git. */
import { dirname, join, resolve } from "node:path";
import { type FileStat, isErrno, type SessionFs } from "../fs/session-fs.ts";

export interface GitFolder {
  readonly root: string;
  /** Missing while no branch is checked out. */
  readonly branch?: string;
  /** The address of the remote that is called origin. */
  readonly origin?: string;
}

/** Nothing for a folder that is in no work tree. */
export async function readGit(fs: SessionFs, folder: string): Promise<GitFolder | undefined> {
  for (let root = folder; ; root = dirname(root)) {
    const place = await gitPlace(fs, join(root, ".git"));
    if (place !== undefined) {
      const branch = /^ref: refs\/heads\/(.+)/.exec(await textIn(fs, place, "HEAD"))?.[1]?.trim();
      // A linked work tree has a HEAD of its own, and shares the settings.
      const shared = resolve(place, (await textIn(fs, place, "commondir")).trim() || ".");
      const config = await textIn(fs, shared, "config");
      const origin = /^\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)/m.exec(config)?.[1];
      return { root, ...(branch !== undefined && { branch }), ...(origin !== undefined && { origin }) };
    }
    if (dirname(root) === root) return undefined;
  }
}

/** Mostly a folder; in linked work trees and submodules a file that names one. */
async function gitPlace(fs: SessionFs, path: string): Promise<string | undefined> {
  const stats = await statOrNothing(fs, path);
  if (!stats || stats.kind === "folder") return stats && path;
  const named = /^gitdir: (.+)/.exec(await textIn(fs, dirname(path), ".git"))?.[1]?.trim();
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

async function textIn(fs: SessionFs, folder: string, name: string): Promise<string> {
  try {
    return Buffer.from(await fs.read(join(folder, name), { start: 0, end: LONGEST })).toString("utf8");
  } catch (error) {
    if (!isErrno(error, ...SILENT)) throw error;
    return "";
  }
}
