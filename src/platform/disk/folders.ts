/** Resolves folders to their real paths, and compares them. */
import { realpathSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";

/** Its own path, links resolved; nothing when there is no such folder. */
export async function realFolder(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? await realpath(path) : undefined;
  } catch {
    return undefined; // gone, or out of reach: no folder to us
  }
}

/** Whether two paths are one folder. The system answers that, with its own rules for case and separators. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  try {
    const [first, second] = await Promise.all([stat(one), stat(other)]);
    return first.dev === second.dev && first.ino === second.ino;
  } catch {
    return false; // one that is gone, or out of reach, is no other
  }
}

/** A path as the system spells it, links resolved; what is not there stays as it is. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
