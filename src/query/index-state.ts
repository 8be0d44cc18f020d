/** Says how far the store is, and which homes it is filled from. */
import type { SourceId } from "../model/session/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import { countBelow, countStore, isBeingWritten, type StoreCounts } from "../store/index-state.ts";
import type { SessionStore } from "../store/session-store.ts";

/** A place where a program may keep its sessions. */
export interface IndexedHome {
  readonly source: SourceId;
  readonly label: string;
  readonly path: string;
  readonly exists: boolean;
  readonly sessions: number;
  /** The variable that leads its source to another place. */
  readonly variable?: string;
}

export interface IndexState extends StoreCounts {
  readonly isIndexing: boolean;
  readonly storePath: string;
  readonly storeBytes: number;
  /** When the store was last written (ISO 8601). */
  readonly indexedAt?: string;
  readonly homes: readonly IndexedHome[];
  /** Why the store cannot be used; then nothing is counted. */
  readonly trouble?: string;
}

/** What SQLite keeps beside the file. */
const PARTS = ["", "-wal", "-shm"];

export async function indexStateOf(
  catalog: Catalog,
  storePath: string,
  store: Pick<SessionStore, "db"> | undefined,
): Promise<IndexState> {
  const files = await Promise.all(PARTS.map((part) => statOf(catalog, `${storePath}${part}`)));
  const found = files.filter((file) => file !== undefined);
  // The index of a write-ahead log changes when somebody reads, too.
  const written = Math.max(0, ...files.slice(0, 2).map((file) => file?.mtimeMs ?? 0));
  const homes = await Promise.all(
    catalog.sources.flatMap(({ source, label, roots, variable }) =>
      roots.map(async (path): Promise<IndexedHome> => {
        const exists = (await statOf(catalog, path)) !== undefined;
        return {
          ...{ source, label, path, exists },
          ...(variable !== undefined && { variable }),
          sessions: store && exists ? countBelow(store.db, source, path) : 0,
        };
      }),
    ),
  );
  return {
    isIndexing: store ? isBeingWritten(store.db) : false,
    ...(store ? countStore(store.db) : { sessions: 0, turns: 0, problems: 0 }),
    storePath,
    storeBytes: found.reduce((sum, { size }) => sum + size, 0),
    ...(written > 0 && { indexedAt: new Date(written).toISOString() }),
    homes,
  };
}

async function statOf({ fs }: Catalog, path: string) {
  try {
    return await fs.stat(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return undefined; // not there, or out of reach, which doctor explains
  }
}
