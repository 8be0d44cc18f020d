/**
 * Finds which folder of any SessionFs contains a path: by file identity when the file system has it, otherwise by name.
 */
import { dirname, resolve } from "node:path";
import { findHolder, type Holder } from "../disk/holders.ts";
import { isErrno, OUT_OF_REACH, type SessionFs } from "./session-fs.ts";

/** Which of some folders a path lies in, or is. The folders are looked at once for all paths. */
export async function createHolders(
  fs: SessionFs,
  folders: readonly string[],
): Promise<(path: string) => Promise<string | undefined>> {
  const holders: Holder[] = [];
  for (const folder of folders)
    holders.push({
      folder,
      place: await placeOf(fs, folder),
      identity: await fs.links?.identityAt(folder),
    });
  return async (path) => {
    const place = await placeOf(fs, path);
    return findHolder(holders, place, await identitiesOn(fs, place));
  };
}

export const isHeldBy = async (fs: SessionFs, path: string, folder: string): Promise<boolean> =>
  (await (await createHolders(fs, [folder]))(path)) !== undefined;

/** Of what is at a path and of all folders above it, as far as they are there. */
async function identitiesOn(fs: SessionFs, path: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (let at = path; fs.links; at = dirname(at)) {
    const identity = await fs.links.identityAt(at);
    if (identity !== undefined) found.add(identity);
    if (dirname(at) === at) break;
  }
  return found;
}

/** The place that a write to the path would reach; the path itself where that cannot be told. */
async function placeOf(fs: SessionFs, path: string): Promise<string> {
  try {
    return (await fs.links?.leadsTo(resolve(path))) ?? resolve(path);
  } catch (error) {
    if (!isErrno(error, ...OUT_OF_REACH)) throw error;
    return resolve(path);
  }
}
