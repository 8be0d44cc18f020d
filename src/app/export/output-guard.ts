/** Refuses to write output files into the home of an agent or into ours. */
import { demoFolder, workFolder } from "../../demo/places.ts";
import { AppError } from "../../model/errors.ts";
import type { SourceId } from "../../model/session/session.ts";
import {
  createHolders,
  hasOtherNames,
  identitiesOn,
  identityAt,
  isHeldBy,
  isSamePlace,
  type Reach,
  type ReachOptions,
  reachOf,
} from "../../platform/disk/identity.ts";
import type { SourceRoots } from "../../sources/catalog.ts";

/** A protected folder, and its owner. */
export interface Holding {
  readonly folder: string;
  /** Whose it is, for people. */
  readonly owner: string;
  /** Of an agent's home. */
  readonly source?: SourceId;
  /** A folder in it that is free to be written to. */
  readonly except?: string;
}

export interface OutputGuard {
  /**
   * Throws if the path is in a protected folder. A whole home may be written where its own program looks for one
   * (`asHomeOf`).
   */
  check(path: string, asHomeOf?: SourceId): void;
}

/** Of these sources, and of our own data folder. */
export const holdingsOf = (sources: readonly SourceRoots[], dataFolder: string): Holding[] => [
  ...sources.flatMap(({ source, label, ownFolders }) =>
    ownFolders.map((folder) => ({ folder, owner: label, source })),
  ),
  // In the folders of the demo, exports can be tried as in any other.
  { folder: dataFolder, owner: "rethread", except: workFolder(demoFolder(dataFolder)) },
];

/** Sessions, or the folders of all sessions, lie so far below a home. */
const SESSION_DEPTH = 1;

export function createOutputGuard(holdings: readonly Holding[]): OutputGuard {
  const known = new Map<string, Reach>();
  const reach = (folder: string, options: Omit<ReachOptions, "followed">): Reach => {
    const key = JSON.stringify([folder, options]);
    const found = known.get(key) ?? reachOf(folder, { ...options, followed: SESSION_DEPTH });
    known.set(key, found);
    return found;
  };
  let findHolder: ReturnType<typeof createHolders> | undefined;

  /** The folder whose program comes upon the path, too: by a link, or by another name of the file. */
  const findReaching = (path: string): Holding | undefined => {
    const identity = identityAt(path);
    const chain = identitiesOn(path);
    // A new file only matters in the folder of a session; one that is there may be any of a session's files.
    const searched = identity === undefined ? { deepest: SESSION_DEPTH } : {};
    const linking = holdings.find(({ folder }) => {
      const { linked } = reach(folder, searched);
      return chain.some((each) => linked.has(each));
    });
    if (linking || identity === undefined || !hasOtherNames(path)) return linking;
    return holdings.find(({ folder }) => reach(folder, { withFiles: true }).files.has(identity));
  };

  return {
    check(path, asHomeOf) {
      findHolder ??= createHolders(holdings.map(({ folder }) => folder));
      const folder = findHolder(path);
      const holder = holdings.find((each) => each.folder === folder) ?? findReaching(path);
      if (!holder || (holder.except !== undefined && isHeldBy(path, holder.except))) return;
      const isItsHome =
        asHomeOf !== undefined && holder.source === asHomeOf && isSamePlace(path, holder.folder);
      if (!isItsHome) throw protectedPlace(path, holder);
    },
  };
}

const protectedPlace = (path: string, { folder, owner }: Holding): AppError =>
  new AppError(
    "place-protected",
    `${path} belongs to ${owner} (${folder}), so nothing is written there`,
    "Name a file outside of it",
  );
