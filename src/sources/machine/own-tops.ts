/** Looks at what this machine has at the top of its disks. */
import { type OwnTops, SHARED_TOPS } from "../../model/values/elsewhere.ts";
import { isErrno, type SessionFs } from "../../platform/fs/session-fs.ts";

export async function ownTops(fs: SessionFs): Promise<OwnTops> {
  const { platform } = process;
  if (platform === "win32") {
    const drives = [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => `${letter}:`);
    const isThere = await Promise.all(drives.map((drive) => fs.exists(`${drive}\\`)));
    return { platform, tops: drives.filter((_, at) => isThere[at]) };
  }
  const tops: string[] = [];
  for (const top of await namesIn(fs, "/")) {
    tops.push(`/${top}`);
    if (SHARED_TOPS.has(top)) for (const name of await namesIn(fs, `/${top}`)) tops.push(`/${top}/${name}`);
  }
  return { platform, tops };
}

async function namesIn(fs: SessionFs, folder: string): Promise<string[]> {
  try {
    return (await fs.readdir(folder)).map(({ name }) => name);
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) throw error;
    return [];
  }
}
