/** Whether a workspace was renamed or removed, as far as this machine can tell. */
import { dirname, isAbsolute, sep } from "node:path";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

/**
 * Where not even the folder around it exists, the data was brought here from another machine, or a disk is not plugged
 * in: then that says nothing. Neither does a path of another system.
 */
export async function workspaceMissing(fs: SessionFs, path: string): Promise<boolean> {
  const isElsewhere = !isAbsolute(path) || (sep === "/" && path.startsWith("//"));
  return !isElsewhere && !(await fs.exists(path)) && (await fs.exists(dirname(path)));
}

/** Whether a folder or file is at this path; undefined where this machine cannot know, by the same rule. */
export async function workspaceExists(fs: SessionFs, path: string): Promise<boolean | undefined> {
  if (isAbsolute(path) && (await fs.exists(path))) return true;
  return (await workspaceMissing(fs, path)) ? false : undefined;
}
