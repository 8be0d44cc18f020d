/** Updates the rows of a changed session in its own program's store, in one short transaction. */

import type { PlannedSession } from "../model/plan.ts";
import type { Artifact } from "../model/session/session.ts";
import { isAtOrBelow } from "../model/values/paths.ts";
import type { Catalog, PlacedVendorStore } from "../sources/catalog.ts";
import { type CopilotStore, type Counts, openCopilotStore } from "../store/copilot/copilot-store.ts";
import { isEmptyImage, type RowImage } from "../store/copilot/image.ts";
import { readWanted } from "./vendor-store.ts";

type Reading = Pick<Catalog, "fs" | "read">;

export interface FollowOptions {
  /** Called with the old rows before any of them changes. */
  readonly keep: (rows: RowImage) => void;
  /** What to put back, where a write was undone. */
  readonly before?: RowImage;
  /** What is put back is older than the session. */
  readonly isOlder?: boolean;
  readonly patienceMs: number;
}

/** The store that would have rows of the session; nothing where there is none, or it was never made. */
export async function findVendorStore(
  catalog: Pick<Catalog, "fs" | "vendorStores">,
  session: PlannedSession,
): Promise<PlacedVendorStore | undefined> {
  const place = catalog.vendorStores.find(
    ({ source, root }) => source === session.source && isAtOrBelow(session.path, root),
  );
  return place && (await catalog.fs.exists(place.store.path(place.root))) ? place : undefined;
}

/** Doing it twice does no more than once. */
export async function followSession(
  reading: Reading,
  place: PlacedVendorStore,
  session: PlannedSession,
  { keep, before, isOlder = false, patienceMs }: FollowOptions,
): Promise<Counts> {
  const store = openCopilotStore(place.store.path(place.root), false, patienceMs);
  try {
    const rows = store.image(session.id);
    if (before && !isEmptyImage(before)) {
      const counts = store.putBack(session.id, before);
      if (isOlder) await makeRight(store, reading, place, session);
      return counts;
    }
    // Of what the program does not know it hears when it wants to.
    if (isEmptyImage(rows)) return {};
    keep(rows);
    return await makeRight(store, reading, place, session);
  } finally {
    store.close();
  }
}

async function makeRight(
  store: CopilotStore,
  reading: Reading,
  place: PlacedVendorStore,
  session: PlannedSession,
): Promise<Counts> {
  const wanted = await findWanted(reading, place, session);
  if (wanted === "unknown") return {};
  return wanted === "gone" ? store.remove(session.id) : store.write(session.id, wanted);
}

/** The same without writing anything, for a session as it is or as a plan will make it. */
export async function previewSession(
  reading: Reading,
  place: PlacedVendorStore,
  session: PlannedSession,
  before?: RowImage,
): Promise<Counts> {
  const store = openCopilotStore(place.store.path(place.root), true);
  try {
    if (before && !isEmptyImage(before)) return store.compareTo(session.id, before);
    if (isEmptyImage(store.image(session.id))) return {};
    const wanted = await findWanted(reading, place, session);
    if (wanted === "unknown") return {};
    return wanted === "gone" ? store.countRows(session.id) : store.compare(session.id, wanted);
  } finally {
    store.close();
  }
}

/** Unknown while the folder of all sessions is not there, or the session cannot be read: then its rows are better than none. */
async function findWanted(reading: Reading, place: PlacedVendorStore, session: PlannedSession) {
  const present = await place.store.sessions(reading.fs, place.root);
  if (!present) return "unknown";
  if (!present.has(session.id)) return "gone";
  const artifact = await artifactOf(reading, place, session);
  if (!artifact || !place.store.takes(artifact)) return "unknown";
  return (await readWanted(reading, place, artifact))?.wanted ?? "unknown";
}

async function artifactOf(
  { fs }: Reading,
  { root }: PlacedVendorStore,
  { source, id, path }: PlannedSession,
): Promise<Artifact | undefined> {
  if (!(await fs.exists(path))) return undefined;
  const { size, mtimeMs, ino } = await fs.stat(path);
  return { source, id, path, root, fingerprint: { size, mtimeMs, ino } };
}
