/** Identifies the file or folder behind a path, through links, spellings, mounts and hard links. */
import { type BigIntStats, type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isErrno, OUT_OF_REACH } from "../fs/session-fs.ts";
import { findHolder } from "./holders.ts";
import { realPath } from "./links.ts";

/** The path of what is there, without links in it; nothing where a link leads nowhere or in a circle. */
export function realPathOf(path: string): string | undefined {
  return unless(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"], () => realpathSync.native(path));
}

/** The path of the file that a write to `path` would create or replace. */
const realPlaceOf = (path: string): string =>
  unless(OUT_OF_REACH, () => realPath(resolve(path))) ?? resolve(path);

/** Which of some folders a path lies in, or is; asked for many paths, the folders are looked at once. */
export function createHolders(folders: readonly string[]): (path: string) => string | undefined {
  const holders = folders.map((folder) => ({
    folder,
    place: realPlaceOf(folder),
    identity: identityAt(folder),
  }));
  return (path) => {
    const place = realPlaceOf(path);
    return findHolder(holders, place, new Set(identitiesOn(place)));
  };
}

export const isHeldBy = (path: string, folder: string): boolean =>
  createHolders([folder])(path) !== undefined;

/** Whether two paths are one and the same place. */
export const isSamePlace = (one: string, other: string): boolean =>
  isHeldBy(one, other) && isHeldBy(other, one);

/** Which file or folder something is, whatever it is called; nothing where there is none, or it is out of reach. */
export function identityAt(path: string): string | undefined {
  const stats = unless(OUT_OF_REACH, () => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return stats && toIdentity(stats);
}

const toIdentity = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** Of what is at a path and of all folders above it, as far as they are there. */
export function identitiesOn(path: string): string[] {
  const found: string[] = [];
  for (let at = realPlaceOf(path); ; at = dirname(at)) {
    const identity = identityAt(at);
    if (identity !== undefined) found.push(identity);
    if (dirname(at) === at) return found;
  }
}

/** A file with a second name somewhere, which a program may know it by. */
export function hasOtherNames(path: string): boolean {
  const stats = unless(OUT_OF_REACH, () => lstatSync(path));
  return stats?.isFile() === true && stats.nlink > 1;
}

export interface Reach {
  /** What links in a folder lead to, outside of it or inside. */
  readonly linked: ReadonlySet<string>;
  /** The files themselves, where they were asked for. */
  readonly files: ReadonlySet<string>;
}

export interface ReachOptions {
  /** Links so far below the folder are followed and what is behind them searched; deeper ones are only looked at. */
  readonly followed: number;
  /** Nothing deeper is looked at. */
  readonly deepest?: number;
  readonly withFiles?: boolean;
}

/** What a folder holds by links, as identities. A link to a folder above it leads out of it, and holds nothing. */
export function reachOf(
  folder: string,
  { followed, deepest = Number.POSITIVE_INFINITY, withFiles = false }: ReachOptions,
): Reach {
  const [linked, files, entered] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const above = new Set(identitiesOn(folder));
  const waiting = [{ path: folder, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, depth } = next;
    const identity = identityAt(path);
    if (identity === undefined || entered.has(identity)) continue;
    entered.add(identity);
    for (const entry of entriesOf(path)) {
      const inside = join(path, entry.name);
      const isLink = entry.isSymbolicLink();
      const found = isLink || withFiles ? identityAt(inside) : undefined;
      if (found !== undefined && above.has(found)) continue;
      if (isLink && found !== undefined) linked.add(found);
      if (found !== undefined && withFiles) files.add(found);
      const isEntered = isLink ? depth <= followed : entry.isDirectory();
      if (isEntered && depth < deepest) waiting.push({ path: inside, depth: depth + 1 });
    }
  }
  return { linked, files };
}

const entriesOf = (folder: string): Dirent[] =>
  unless(OUT_OF_REACH, () => readdirSync(folder, { withFileTypes: true })) ?? [];

function unless<T>(codes: readonly string[], ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (isErrno(error, ...codes)) return undefined;
    throw error;
  }
}
