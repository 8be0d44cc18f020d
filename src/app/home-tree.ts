/** All of a home that comes along, and what does not, by why. */
import { join } from "node:path";
import type { Entry } from "../model/plan.ts";
import { namesIn } from "../platform/own-files.ts";
import { isErrno } from "../platform/session-fs.ts";
import { lookAt } from "../platform/tree.ts";
import type { HomeLayout } from "../sources/source.ts";

export interface HomeTree {
  /** Outermost first, the root itself left out. */
  readonly entries: readonly Entry[];
  /** Why, and what: paths relative to the root. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>;
}

export function readHome(root: string, { whyLeftOut }: HomeLayout): HomeTree {
  const entries: Entry[] = [];
  const leftOut = new Map<string, string[]>();
  const leave = (why: string, path: string): void => {
    const paths = leftOut.get(why) ?? [];
    paths.push(path);
    leftOut.set(why, paths);
  };
  const walk = (folder: string, above: string): void => {
    for (const name of namesIn(folder).sort()) {
      const relative = above === "" ? name : `${above}/${name}`;
      const why = whyLeftOut(relative);
      if (why !== undefined) {
        leave(why, relative);
        continue;
      }
      const entry = lookOrNothing(join(folder, name));
      if (!entry) leave("what is neither file, folder nor link", relative);
      else {
        entries.push(entry);
        if (entry.kind === "folder") walk(entry.path, relative);
      }
    }
  };
  walk(root, "");
  return { entries, leftOut };
}

function lookOrNothing(path: string): Entry | undefined {
  try {
    return lookAt(path);
  } catch (error) {
    if (!isErrno(error, "ENOTSUP")) throw error;
    return undefined;
  }
}
