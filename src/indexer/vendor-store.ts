/** Rebuilds a vendor's own store from its sessions, each in a short transaction. */
import { AppError } from "../model/errors.ts";
import type { Artifact } from "../model/session/session.ts";
import { memberOf } from "../model/values/member.ts";
import type { Catalog, PlacedVendorStore } from "../sources/catalog.ts";
import { type CopilotStore, type Counts, openCopilotStore } from "../store/copilot/copilot-store.ts";
import { copilotPromptEffect } from "../store/copilot/prompt-effect.ts";
import { collectRows, type WantedRows } from "../store/copilot/wanted.ts";
import { parseCheckpointFile } from "./checkpoint.ts";
import { createExtractor } from "./extract.ts";
import type { Progress } from "./refresh.ts";

export interface VendorStoreOptions {
  /** Say what would change, and write nothing. */
  readonly dryRun: boolean;
  /** Copies the store before the first change to it, and gives back where the copy is. */
  readonly backUp: (store: CopilotStore) => Promise<string>;
  /** Write although the program seems to run. */
  readonly ignoreLock?: boolean;
  readonly onProgress?: (progress: Progress) => void;
}

export interface VendorStoreResult {
  readonly path: string;
  /** Sessions whose rows changed, were right already, or went because their files are gone. */
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Sessions among those read that have problems. */
  readonly problems: number;
  /** Sessions that cannot be read now, whose rows were left as they are. */
  readonly unreadable: number;
  readonly bytesRead: number;
  readonly tables: Counts;
  readonly backup?: string;
  /** The process that seems to use the store, where that was to be ignored. */
  readonly ignored?: number;
}

/** Now and then it is asked whether the program was started meanwhile; each time costs a look into every folder. */
const LOOK_MS = 1000;

export async function rebuildVendorStore(
  catalog: Catalog,
  place: PlacedVendorStore,
  options: VendorStoreOptions,
): Promise<VendorStoreResult> {
  const { path, present, user } = await prepareVendorStore(catalog, place, options.ignoreLock);
  const store = openCopilotStore(path, options.dryRun);
  try {
    const { artifacts } = await catalog.scan([place.source]);
    const mine = artifacts.filter(
      (artifact) =>
        artifact.root === place.root && artifact.vanishedAt === undefined && place.store.takes(artifact),
    );
    const result = await rebuild(catalog, place, store, { ...options, path, present, user, artifacts: mine });
    return { ...result, ...(user !== undefined && { ignored: user }) };
  } finally {
    store.close();
  }
}

export interface PreparedStore {
  readonly path: string;
  readonly present: ReadonlySet<string>;
  /** A process that seems to use it all the same. */
  readonly user: number | undefined;
}

/**
 * The store's path and the sessions that have files, after checking that the store exists and is not in use (unless
 * that is ignored).
 */
export async function prepareVendorStore(
  catalog: Catalog,
  place: PlacedVendorStore,
  ignoreLock = false,
): Promise<PreparedStore> {
  const { label, root, store } = place;
  const path = store.path(root);
  if (!(await catalog.fs.exists(path))) {
    throw new AppError(
      "nothing-found",
      `${label} has no store at ${path}`,
      `Start ${label} once: it creates an empty store, which this command then fills`,
    );
  }
  const user = ignoreLock ? await store.findUser(catalog.fs, root) : undefined;
  await refuseWhileRunning(catalog, place, user);
  const present = await store.sessions(catalog.fs, root);
  // Without this, a home that is not mounted would look like one whose sessions were all deleted.
  if (!present) {
    throw new AppError(
      "nothing-found",
      `${label} has a store but no folder of sessions in ${root}, so nothing was changed`,
      "Check whether the folder was moved, or is on a disk that is not mounted",
    );
  }
  return { path, present, user };
}

async function refuseWhileRunning(
  catalog: Catalog,
  { label, root, store }: PlacedVendorStore,
  ignored: number | undefined,
): Promise<void> {
  const pid = await store.findUser(catalog.fs, root);
  if (pid === undefined || pid === ignored) return;
  throw new AppError(
    "agent-running",
    `${label} is running (pid ${pid}) and may write to its store`,
    "Close it and run the command again; if it is not running, add --ignore-lock",
  );
}

interface Rebuild extends VendorStoreOptions {
  readonly path: string;
  readonly present: ReadonlySet<string>;
  readonly user: number | undefined;
  readonly artifacts: readonly Artifact[];
}

async function rebuild(
  catalog: Catalog,
  place: PlacedVendorStore,
  store: CopilotStore,
  { path, present, user, artifacts, dryRun, backUp, onProgress }: Rebuild,
): Promise<VendorStoreResult> {
  let [indexed, unchanged, removed, problems, unreadable, bytesRead] = [0, 0, 0, 0, 0, 0];
  let tables: Counts = {};
  let backup: string | undefined;
  let looked = Date.now();
  /** Before each change: checks that the program is not running and that a copy was made. */
  const makeReady = async (): Promise<void> => {
    if (Date.now() - looked > LOOK_MS) {
      await refuseWhileRunning(catalog, place, user);
      looked = Date.now();
    }
    backup ??= await backUp(store);
  };
  const totalBytes = artifacts.reduce((sum, { fingerprint }) => sum + fingerprint.size, 0);

  for (const [done, artifact] of artifacts.entries()) {
    onProgress?.({ done, total: artifacts.length, bytes: bytesRead, totalBytes });
    const found = await readWanted(catalog, place, artifact);
    bytesRead += artifact.fingerprint.size;
    if (!found) {
      unreadable++;
      continue;
    }
    const { wanted } = found;
    if (found.hasProblems) problems++;
    const planned = store.compare(artifact.id, wanted);
    if (isNothing(planned)) {
      unchanged++;
      continue;
    }
    if (!dryRun) await makeReady();
    tables = sumCounts(tables, dryRun ? planned : store.write(artifact.id, wanted));
    indexed++;
  }
  for (const id of store.sessions().filter((known) => !present.has(known))) {
    if (!dryRun) await makeReady();
    tables = sumCounts(tables, dryRun ? store.countRows(id) : store.remove(id));
    removed++;
  }
  return {
    path,
    indexed,
    unchanged,
    removed,
    problems,
    unreadable,
    bytesRead,
    tables,
    ...(backup !== undefined && { backup }),
  };
}

/** Nothing when the session cannot be read now: then the rows that are there are better than none. */
export async function readWanted(
  catalog: Pick<Catalog, "fs" | "read">,
  { store }: PlacedVendorStore,
  artifact: Artifact,
): Promise<{ readonly wanted: WantedRows; readonly hasProblems: boolean } | undefined> {
  const collector = collectRows(artifact.id);
  const extractor = createExtractor(collector.rows, { outputHead: 0, promptEffect: copilotPromptEffect });
  let isReadable = true;
  try {
    const beside = await store.beside(catalog.fs, artifact);
    const session = await catalog.read(
      artifact,
      {
        event: (event) => extractor.event(event),
        problem: ({ code, path }) => {
          // What is understood only in part must not take the place of what the program wrote itself.
          const isNewer = code === "format-newer" && path === artifact.path;
          if (isNewer || code === "session-unreadable" || code === "reader-failed") isReadable = false;
        },
      },
      { textLimit: 4096, skim: true, asRecorded: true },
    );
    extractor.end();
    const checkpoints = [...beside.checkpoints].flatMap(
      ([number, { text, at }]) => parseCheckpointFile(text, number, at) ?? [],
    );
    if (!isReadable) return undefined;
    return { wanted: collector.end(session, checkpoints, beside.files), hasProblems: session.problems > 0 };
  } catch (error) {
    // Whatever it is, it is about this session: the store itself is not touched here.
    if (error instanceof AppError) throw error;
    return undefined;
  }
}

const isNothing = (counts: Counts): boolean => Object.keys(counts).length === 0;

export function sumCounts(all: Counts, more: Counts): Counts {
  const added = Object.entries(more).map(([name, count]) => {
    const before = memberOf(all, name) ?? { added: 0, updated: 0, removed: 0 };
    return [
      name,
      {
        added: before.added + count.added,
        updated: before.updated + count.updated,
        removed: before.removed + count.removed,
      },
    ];
  });
  return { ...all, ...Object.fromEntries(added) };
}
