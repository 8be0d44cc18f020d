/** Resolves symbolic links of any SessionFs. On a file system without links every path leads to itself. */
import { basename, dirname, join, resolve } from "node:path";
import type { Entry } from "../../model/plan.ts";
import { isErrno, type SessionFs } from "./session-fs.ts";

/** As many links in a row as Linux follows. */
const MOST_LINKS = 40;

/** What is at a path itself: a link is seen as a link. Undefined where there is nothing. */
export async function entryAt(fs: SessionFs, path: string): Promise<Entry | undefined> {
  if (fs.links) return fs.links.entryAt(path);
  try {
    const { kind, size, mtimeMs, mode, ino } = await fs.stat(path);
    return kind === "folder"
      ? { kind, path, mode, mtimeMs }
      : { kind: "file", path, mode, mtimeMs, size, ino };
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR")) throw error;
    return undefined;
  }
}

/** What is at a path with everything below it, outermost first and in the order of names; links are listed as links. */
export async function readTree(fs: SessionFs, path: string): Promise<Entry[]> {
  const entry = await entryAt(fs, path);
  if (!entry) return [];
  const entries: Entry[] = [entry];
  if (entry.kind === "folder")
    for (const name of (await fs.readdir(path)).map((each) => each.name).sort())
      entries.push(...(await readTree(fs, join(path, name))));
  return entries;
}

/** Follows every link, the last one included. A link that leads nowhere yields the place that it names. */
export const realPath = async (fs: SessionFs, path: string): Promise<string> =>
  fs.links ? fs.links.leadsTo(path) : path;

/** Follows the links on the way to a path. What is at its end stays what it is, a link included. */
export async function realPlace(fs: SessionFs, path: string): Promise<string> {
  const parent = dirname(path);
  return !fs.links || parent === path ? path : join(await realPath(fs, parent), basename(path));
}

/** The links at the end of a path, each at its real place, in the order in which they are followed. */
export async function linksAt(fs: SessionFs, path: string): Promise<string[]> {
  const found: string[] = [];
  for (let place = await realPlace(fs, path); found.length < MOST_LINKS; ) {
    const entry = fs.links && (await entryOrNothing(fs, place));
    if (entry?.kind !== "link") break;
    found.push(place);
    place = await realPlace(fs, resolve(dirname(place), entry.target));
  }
  return found;
}

/** The first link on the way to a path that leads nowhere. The end of the path may be such a link. */
export async function brokenLinkOnTheWay(fs: SessionFs, path: string): Promise<string | undefined> {
  if (!fs.links) return undefined;
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const entry = await entryOrNothing(fs, at);
    if (entry) return entry.kind === "link" && !(await fs.exists(at)) ? at : undefined;
  }
  return undefined;
}

/** The names of the links in a folder; none where there is no folder. */
export async function linksIn(fs: SessionFs, folder: string): Promise<string[]> {
  if (!fs.links) return [];
  try {
    return (await fs.readdir(folder)).filter(({ isLink }) => isLink).map(({ name }) => name);
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR")) throw error;
    return [];
  }
}

/** Whether a path ends in a link to something in the same folder, which has a name of its own there. */
export async function leadsToNeighbour(fs: SessionFs, path: string): Promise<boolean> {
  if ((await linksAt(fs, path)).length === 0) return false;
  return dirname(await realPath(fs, path)) === (await realPath(fs, dirname(path)));
}

/** What a path leads to, under the path's own name; a link only where it leads to no file or folder. */
export async function lookThrough(fs: SessionFs, path: string): Promise<Entry | undefined> {
  const entry = await entryAt(fs, path);
  if (entry?.kind !== "link") return entry;
  try {
    const behind = await entryAt(fs, await realPath(fs, path));
    return behind ? { ...behind, path } : entry;
  } catch (error) {
    if (!isErrno(error, "ENOTSUP", "ENOTDIR", "ELOOP")) throw error;
    return entry;
  }
}

/**
 * A tree as its reader sees it, outermost first and in the order of names. A link at the root is followed, and inside
 * those that `follows` accepts. Entries keep the names on the way; a link that leads into a circle stays a link.
 */
export async function readTreeThrough(
  fs: SessionFs,
  path: string,
  follows: (path: string) => boolean = () => false,
  around: readonly string[] = [],
): Promise<Entry[]> {
  const there = await entryAt(fs, path);
  if (!there) return [];
  const isFollowed = there.kind === "link" && (around.length === 0 || follows(path));
  const entry = isFollowed ? ((await lookThrough(fs, path)) ?? there) : there;
  if (entry.kind !== "folder") return [entry];
  const real = await realPath(fs, path);
  if (around.includes(real)) return [there];
  const entries: Entry[] = [entry];
  const names = (await fs.readdir(real)).map(({ name }) => name).sort();
  for (const name of names)
    entries.push(...(await readTreeThrough(fs, join(path, name), follows, [...around, real])));
  return entries;
}

/** Nothing also for a path that cannot be, and for entries that are neither files, folders nor links. */
async function entryOrNothing(fs: SessionFs, path: string): Promise<Entry | undefined> {
  try {
    return await entryAt(fs, path);
  } catch (error) {
    if (!isErrno(error, "ENOTDIR", "ENAMETOOLONG", "ENOTSUP")) throw error;
    return undefined;
  }
}
