/**
 * Which files are read for others: agents, pages, whoever has a token. What a log claims is no reason, as anybody may
 * have written it; a file has to lie in a folder of work that sessions are about, and must not be there for secrets.
 */
import { dirname, isAbsolute } from "node:path";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { isSecretFile } from "../../model/values/secret-files.ts";
import { isSystemFolder } from "../../model/values/system-folders.ts";
import { readGit } from "../../platform/disk/git-folder.ts";
import { isPersonal } from "../../platform/disk/personal-folder.ts";
import { realPath } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

export interface ReachParts {
  readonly fs: SessionFs;
  /** The folders that sessions are about, as they name them. */
  readonly folders: readonly string[];
  /** The person's own folder: what was done there says nothing of all that is in it. */
  readonly homeDir: string;
  /** Whether a folder is an agent's, or ours. */
  isKept(folder: string): boolean;
  /** Whether git has been told to leave a file alone. */
  isIgnored(path: string): Promise<boolean>;
  /** The folders of the demo are in our own, and made for this. */
  readonly isDemo: boolean;
}

/** The innermost folder of work that a file really is in; or why it is not read. `path` without links. */
export async function reachOf(
  path: string,
  parts: ReachParts,
): Promise<{ readonly folder: string } | { readonly refused: string }> {
  const folder = await findWork(path, parts);
  if (folder === undefined) return { refused: "is in no folder of work that sessions are about" };
  // Of the whole path: a log may call the folder for secrets itself its folder.
  if (isSecretFile(path)) return { refused: "is a file for secrets" };
  if (await parts.isIgnored(path)) return { refused: "is ignored by git" };
  return { folder };
}

/** A file may be in the folder of a session, or elsewhere in its work tree. */
export async function findWork(path: string, parts: ReachParts): Promise<string | undefined> {
  const { fs } = parts;
  const root = await rootOf(fs, dirname(path));
  let found: string | undefined;
  for (const named of new Set(parts.folders.map(folderOf))) {
    if (!isAbsolute(named) || isShare(named)) continue;
    const real = await realPath(fs, named).catch(() => named);
    const candidates = [
      ...(isAtOrBelow(path, real) ? [real] : []),
      ...(root !== undefined && isAtOrBelow(real, root) ? [root] : []),
    ];
    for (const folder of candidates)
      if (folder.length > (found?.length ?? 0) && (await isWork(folder, parts))) found = folder;
  }
  return found;
}

async function rootOf(fs: SessionFs, folder: string): Promise<string | undefined> {
  try {
    return (await readGit(fs, folder))?.root;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return undefined;
  }
}

async function isWork(folder: string, { fs, homeDir, isKept, isDemo }: ReachParts): Promise<boolean> {
  if (isSystemFolder(folder) || isKept(folder)) return false;
  return isDemo || !(await isPersonal(fs, folder, homeDir));
}

const folderOf = (workspace: string): string =>
  /\.code-workspace$/i.test(workspace) ? dirname(workspace) : workspace;

/** A network share may take seconds to answer, or forever. */
const isShare = (folder: string): boolean => /^[\\/]{2}/.test(folder);
