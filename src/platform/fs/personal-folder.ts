/** Folders in which people keep much else than one piece of work: nothing there belongs to a session just by lying there. */
import { dirname, relative } from "node:path";
import { readGit } from "./git-folder.ts";
import { isHeldBy } from "./identity.ts";
import { realPath } from "./links.ts";

/** The root, a user's home, what is above it, and hidden folders in it that are no repository, such as those of keys and settings. */
export function isPersonal(folder: string, home: string | undefined): boolean {
  if (dirname(folder) === folder) return true;
  if (home === undefined) return false;
  if (isHeldBy(home, folder)) return true;
  if (!/^\.[^.\\/]/.test(relative(realPath(home), realPath(folder)))) return false;
  const root = readGit(folder)?.root;
  return root === undefined || isHeldBy(home, root);
}
