/** Rebuilds the store in a separate file, then replaces the old one in one step. */

import type { Artifact } from "../model/session/session.ts";
import { formatKey, type SessionKey } from "../model/values/id.ts";
import type { Catalog } from "../sources/catalog.ts";
import { type CarriedOver, type CarryOverOptions, carryOver } from "../store/carry-over.ts";
import { settleCopies } from "../store/copies.ts";
import { isCorrupt } from "../store/faults.ts";
import {
  imageOfStore,
  type OpenScratch,
  openScratchStore,
  openStore,
  type StoreOptions,
  setStoreAside,
  storeIdentity,
} from "../store/open.ts";
import { createSessionStore, type SessionStore } from "../store/session-store.ts";
import { isReadable } from "./readable-copy.ts";
import { type RefreshOptions, type RefreshResult, refresh } from "./refresh.ts";
import { judgeAbsent } from "./vanished.ts";

/** The new file is not visible before it is complete; until then the old one answers queries. */
export async function rebuild(
  catalog: Catalog,
  folder: string,
  options: RefreshOptions,
  notice: (sentence: string) => void = () => undefined,
  /** What is read takes the place of the old store even where that is not all. */
  isPartWelcome = false,
): Promise<RefreshResult> {
  const old: StoreOptions = { folder, now: options.now, notice };
  // First of all, because it refuses what a newer version wrote, and sets a corrupt one aside.
  const known = sessionsIn(old);
  const scratch: OpenScratch = openScratchStore(folder, options.now, known.image);
  try {
    const store = createSessionStore(scratch.db);
    const scan = await catalog.scan(options.sources);
    const artifacts: Artifact[] = [];
    for (const artifact of scan.artifacts)
      if (!known.paths.has(artifact.path) || (await isReadable(catalog, artifact))) artifacts.push(artifact);
    const seen: Catalog = { ...catalog, scan: async () => ({ ...scan, artifacts }) };
    const result = await refresh(seen, store, { ...options, isThorough: true });
    if (result.pending > 0 && !isPartWelcome) return result; // stopped half-way: the old one knows more
    const judge = judgeAbsent(scan, catalog.sources, options.vanished ?? "keep");
    const there = new Set(artifacts.map(({ path }) => path));
    const { kept, removed, vanished } = carryOverFrom(old, store, {
      // Sessions of other sources were not scanned, and others may have been read by another process meanwhile.
      fateOf: (absent) =>
        options.sources?.includes(absent.source) === false || there.has(absent.path)
          ? "leave"
          : judge(absent),
      goneSince: options.now().toISOString(),
    });
    settleCopies(scratch.db);
    await scratch.replaceStore();
    const isKnown = (key: SessionKey): boolean => known.keys.has(formatKey(key));
    const { added } = result.sessions; // all of them are new to the new store
    return {
      ...result,
      kept,
      removed: removed + kept,
      sessions: {
        added: added.filter((key) => !isKnown(key)),
        changed: added.filter(isKnown),
        vanished,
      },
    };
  } finally {
    scratch.discard();
  }
}

interface Known {
  readonly paths: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
  /** Of the whole store, where it knows none. */
  readonly image?: Uint8Array | undefined;
}

/** The sessions that it knows, by their files and by what they are called. */
function sessionsIn(old: StoreOptions): Known {
  const db = openStore(old);
  try {
    const store = createSessionStore(db);
    const marks = store.marks();
    const keys = marks.flatMap(({ session }) => store.keyOf(session) ?? []);
    return {
      paths: new Set(marks.map(({ path }) => path)),
      keys: new Set(keys.map(formatKey)),
      ...(marks.length === 0 && { image: imageOfStore(db, old.folder) }),
    };
  } finally {
    db.close();
  }
}

/** What a corrupt store knew is still in the file that is set aside. */
function carryOverFrom(old: StoreOptions, store: SessionStore, options: CarryOverOptions): CarriedOver {
  const db = openStore(old);
  const file = storeIdentity(old.folder);
  try {
    return carryOver(db, store, options);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    db.close();
    setStoreAside(old, file);
    return { kept: 0, removed: 0, vanished: [] };
  } finally {
    if (db.isOpen) db.close();
  }
}
