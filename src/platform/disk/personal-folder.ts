/** Recognizes folders such as a home, whose files do not belong to a session just because they are inside. */
import { dirname, relative } from "node:path";
import { isHeldBy } from "../fs/fs-identity.ts";
import { realPath } from "../fs/fs-links.ts";
import type { SessionFs } from "../fs/session-fs.ts";
import { readGit } from "./git-folder.ts";

/** The root, a user's home, what is above it, and hidden folders in it that are no repository, such as those of keys and settings. */
export async function isPersonal(fs: SessionFs, folder: string, home: string | undefined): Promise<boolean> {
  if (dirname(folder) === folder) return true;
  if (home === undefined) return false;
  if (await isHeldBy(fs, home, folder)) return true;
  if (!/^\.[^.\\/]/.test(relative(await realPath(fs, home), await realPath(fs, folder)))) return false;
  const root = (await readGit(fs, folder))?.root;
  return root === undefined || isHeldBy(fs, home, root);
}
