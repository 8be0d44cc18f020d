/** Where paths really lead: symbolic links are followed, and what is not there yet keeps its name. */
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Entry } from "../../model/plan.ts";
import { isErrno } from "./session-fs.ts";
import { lookAt } from "./tree.ts";

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

/** The links at the end of a path, each at its real place, in the order in which they are followed. */
export function linksAt(path: string): string[] {
  const found: string[] = [];
  let place = realPlace(path);
  for (let target = targetOf(place); target !== undefined; target = targetOf(place)) {
    if (found.length >= MOST_LINKS) break;
    found.push(place);
    place = realPlace(resolve(dirname(place), target));
  }
  return found;
}

/** The first link on the way to a path that leads nowhere; the end of the path may be such a link. */
export function brokenLinkOnTheWay(path: string): string | undefined {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (!stats) continue;
    return stats.isSymbolicLink() && !statSync(at, { throwIfNoEntry: false }) ? at : undefined;
  }
  return undefined;
}

/** The names of the links in a folder; none where there is no folder. */
export function linksIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => name);
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR")) throw error;
    return [];
  }
}

/** Whether a path ends in a link to something in the same folder, which has a name of its own there. */
export function leadsToNeighbour(path: string): boolean {
  return linksAt(path).length > 0 && dirname(realPath(path)) === realPath(dirname(path));
}

/** What a path leads to, under the path's own name; a link only where it leads to no file or folder. */
export function lookThrough(path: string): Entry | undefined {
  const entry = lookAt(path);
  if (entry?.kind !== "link") return entry;
  try {
    const behind = lookAt(realPath(path));
    return behind ? { ...behind, path } : entry;
  } catch (error) {
    if (!isErrno(error, "ENOTSUP", "ENOTDIR", "ELOOP")) throw error;
    return entry;
  }
}

/**
 * A tree as its reader sees it: a link at the root is followed, and inside those that `follows` says yes to. Names are
 * those on the way, whatever the links lead to; a link that leads into a circle stays a link.
 */
export function readTreeThrough(
  path: string,
  follows: (path: string) => boolean = () => false,
  around: readonly string[] = [],
): Entry[] {
  const there = lookAt(path);
  if (!there) return [];
  const isFollowed = there.kind === "link" && (around.length === 0 || follows(path));
  const entry = isFollowed ? (lookThrough(path) ?? there) : there;
  if (entry.kind !== "folder") return [entry];
  const real = realPath(path);
  if (around.includes(real)) return [there];
  return [
    entry,
    ...readdirSync(real)
      .sort()
      .flatMap((name) => readTreeThrough(join(path, name), follows, [...around, real])),
  ];
}

function targetOf(place: string): string | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(place) : undefined;
  } catch (error) {
    if (!isErrno(error, "ENOTDIR", "ENAMETOOLONG")) throw error;
    return undefined;
  }
}
