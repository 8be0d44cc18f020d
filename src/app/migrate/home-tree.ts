/**
 * All of a home that is copied, and what is not, by why. A copy stands on its own: what links lead to outside of the home
 * is copied in their place. Links to what is copied anyway stay links where the copy may have such.
 */
import { dirname, join, posix } from "node:path";
import type { Entry } from "../../model/plan.ts";
import { isAtOrBelow, wayFrom, withSlashes } from "../../model/values/paths.ts";
import { realPathOf } from "../../platform/disk/identity.ts";
import { namesIn } from "../../platform/disk/own-files.ts";
import { lookAt } from "../../platform/disk/tree.ts";
import { isErrno } from "../../platform/fs/session-fs.ts";
import type { HomeLayout } from "../../sources/source.ts";
import * as refuse from "./refusals.ts";

export interface HomeTree {
  /** Outermost first, the root itself left out. */
  readonly entries: readonly HomeEntry[];
  /** Every link that counts, as it is now. */
  readonly links: readonly HomeLink[];
  /** Why, and what: paths relative to the root. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>;
  /** The folders that were read, without links in their paths: the home, and those that links lead to. */
  readonly folders: readonly string[];
}

export interface HomeEntry {
  /** In the home, with forward slashes. */
  readonly path: string;
  /** What is there, or behind a link, by its real path; of a link, what it will lead to. */
  readonly entry: Entry;
}

export interface HomeLink {
  readonly path: string;
  readonly target: string;
  readonly becomes: "content" | "link" | "nothing";
  /** The link itself. */
  readonly entry: Entry;
}

const NOWHERE = "links that lead nowhere";
const CIRCLE = "links to a folder that contains them";
const OTHER = "entries that are neither files, folders nor links";

export function readHome(home: string, { whyLeftOut }: HomeLayout, mayHaveLinks: boolean): HomeTree {
  const root = realPathOf(home) ?? home;
  const entries: HomeEntry[] = [];
  const links: HomeLink[] = [];
  const leftOut = new Map<string, string[]>();
  /** Where the copy will have what is in a folder now. */
  const copied = [{ folder: root, path: "" }];

  const leave = (why: string, path: string): void => {
    const paths = leftOut.get(why) ?? [];
    paths.push(path);
    leftOut.set(why, paths);
  };
  const placeOf = (real: string): string | undefined => {
    for (const { folder, path } of copied) {
      if (!isAtOrBelow(real, folder)) continue;
      const place = posix.join(path, withSlashes(wayFrom(folder, real) ?? ""));
      if (whyLeftOut(place) === undefined) return place;
    }
    return undefined;
  };

  /** `around` are the folders that it lies in, by their real paths. */
  const walk = (folder: string, above: string, around: readonly string[]): void => {
    for (const name of listed(folder).sort()) {
      const path = above === "" ? name : `${above}/${name}`;
      const why = whyLeftOut(path);
      if (why !== undefined) {
        leave(why, path);
        continue;
      }
      const entry = lookOrNothing(join(folder, name));
      if (!entry) leave(OTHER, path);
      else if (entry.kind === "link") take(path, entry, around);
      else add(path, entry, around);
    }
  };
  const add = (path: string, entry: Exclude<Entry, { kind: "link" }>, around: readonly string[]): void => {
    entries.push({ path, entry });
    if (entry.kind === "folder") walk(entry.path, path, [...around, entry.path]);
  };
  const take = (path: string, link: Extract<Entry, { kind: "link" }>, around: readonly string[]): void => {
    const become = (becomes: HomeLink["becomes"]): void =>
      void links.push({ path, target: link.target, becomes, entry: link });
    const stay = (target: string): void => {
      become("link");
      entries.push({ path, entry: { ...link, target } });
    };
    const leaveOut = (why: string): void => {
      become("nothing");
      leave(why, path);
    };
    const real = realPathOf(link.path);
    if (real === undefined) {
      if (mayHaveLinks) stay(link.target);
      else leaveOut(NOWHERE);
      return;
    }
    const place = placeOf(real);
    const isCircle = around.some((each) => isAtOrBelow(each, real));
    if (mayHaveLinks && (place !== undefined || isCircle)) {
      stay(place === undefined ? real : posix.relative(posix.dirname(path), place) || ".");
      return;
    }
    const behind = isCircle ? undefined : lookOrNothing(real);
    if (isCircle || !behind || behind.kind === "link") {
      leaveOut(isCircle ? CIRCLE : OTHER);
      return;
    }
    become("content");
    if (behind.kind === "folder") copied.push({ folder: real, path });
    add(path, behind, around);
  };

  walk(root, "", [root]);
  return { entries, links, leftOut, folders: copied.map(({ folder }) => folder) };
}

function listed(folder: string): string[] {
  try {
    return namesIn(folder);
  } catch (error) {
    throw isErrno(error, "EACCES", "EPERM") ? refuse.unreadable(folder, error) : error;
  }
}

/** Undefined for entries that cannot be copied, such as a socket. */
function lookOrNothing(path: string): Entry | undefined {
  try {
    const entry = lookAt(path);
    if (entry) return entry;
  } catch (error) {
    if (isErrno(error, "ENOTSUP")) return undefined;
    throw isErrno(error, "EACCES", "EPERM") ? refuse.unreadable(path, error) : error;
  }
  // It was listed just now: gone since, or under a name that is no text and so cannot be asked for.
  throw refuse.unnamed(path, dirname(path));
}
