/** Resolves symbolic links of paths on disk; parts that do not exist yet keep their names. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isErrno } from "../fs/session-fs.ts";

/** As many links in a row as Linux follows. */
const MOST_LINKS = 40;

/** Follows every link, the last one included. A link that leads nowhere yields the place that it names. */
export function realPath(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG")) throw error;
  }
  const place = realPlace(path);
  const target = targetOf(place);
  if (target === undefined || links >= MOST_LINKS) return place;
  return realPath(resolve(dirname(place), target), links + 1);
}

/** Follows the links on the way to a path; what is at its end stays what it is, a link included. */
export function realPlace(path: string): string {
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}

function targetOf(place: string): string | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(place) : undefined;
  } catch (error) {
    if (!isErrno(error, "ENOTDIR", "ENAMETOOLONG")) throw error;
    return undefined;
  }
}
