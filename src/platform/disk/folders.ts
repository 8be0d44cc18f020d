/** Resolves folders to their real paths, and compares them. (`node:fs/promises` loads half of Node's `readline`: only when used.) */
import * as fs from "node:fs";

/** Its own path, links resolved; nothing when there is no such folder. */
export async function realFolder(path: string): Promise<string | undefined> {
  try {
    return (await fs.promises.stat(path)).isDirectory() ? await fs.promises.realpath(path) : undefined;
  } catch {
    return undefined; // gone, or out of reach: no folder to us
  }
}

/** Whether two paths are one folder. The system answers that, with its own rules for case and separators. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  try {
    const [first, second] = await Promise.all([fs.promises.stat(one), fs.promises.stat(other)]);
    return first.dev === second.dev && first.ino === second.ino;
  } catch {
    return false; // one that is gone, or out of reach, is no other
  }
}

/** A path as the system spells it, links resolved; what is not there stays as it is. */
export function realPathOf(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch {
    return path;
  }
}
