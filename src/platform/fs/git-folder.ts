/** What git's own files say about a folder: where its work tree begins, the branch, and the remote. Git itself is not run. */
import { type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readBeginning } from "./regular-file.ts";
import { isErrno } from "./session-fs.ts";

export interface GitFolder {
  readonly root: string;
  /** Missing while no branch is checked out. */
  readonly branch?: string;
  /** The address of the remote that is called origin. */
  readonly origin?: string;
}

/** Nothing for a folder that is in no work tree. */
export function readGit(folder: string): GitFolder | undefined {
  for (let root = folder; ; root = dirname(root)) {
    const place = gitPlace(join(root, ".git"));
    if (place !== undefined) {
      const branch = /^ref: refs\/heads\/(.+)/.exec(textIn(place, "HEAD"))?.[1]?.trim();
      // A linked work tree has a HEAD of its own, and shares the settings.
      const shared = resolve(place, textIn(place, "commondir").trim() || ".");
      const origin = /^\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)/m.exec(textIn(shared, "config"))?.[1];
      return { root, ...(branch !== undefined && { branch }), ...(origin !== undefined && { origin }) };
    }
    if (dirname(root) === root) return undefined;
  }
}

/** Mostly a folder; in linked work trees and submodules a file that names one. */
function gitPlace(path: string): string | undefined {
  const stats = statOrNothing(path);
  if (!stats || stats.isDirectory()) return stats && path;
  const named = /^gitdir: (.+)/.exec(textIn(dirname(path), ".git"))?.[1]?.trim();
  return named === undefined ? undefined : resolve(dirname(path), named);
}

function statOrNothing(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (!isErrno(error, ...SILENT)) throw error;
    return undefined;
  }
}

/** Longer than any of these files. */
const LONGEST = 1 << 20;
/** Then the file tells nothing: the folder may be anything that somebody wrote into a session. */
const SILENT = ["ENOENT", "EACCES", "EPERM", "EISDIR", "ENOTDIR", "EINVAL", "ELOOP", "ENAMETOOLONG"];

function textIn(folder: string, name: string): string {
  try {
    return readBeginning(join(folder, name), LONGEST);
  } catch (error) {
    if (!isErrno(error, ...SILENT)) throw error;
    return "";
  }
}
