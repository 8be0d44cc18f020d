/** Brings the store up to date with what is on disk: obeys `findChanges`, reads what changed, commits in batches. */
import type { Problem } from "../model/problem.ts";
import type { Artifact, SourceId } from "../model/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { SessionStore } from "../store/session-store.ts";
import { type Change, findChanges } from "./changes.ts";
import { createExtractor } from "./extract.ts";

export interface RefreshOptions {
  readonly sources?: readonly SourceId[];
  /** How much of each tool's output is searchable, in characters. */
  readonly outputHead: number;
  readonly now: () => Date;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface RefreshResult {
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Sessions that were read with problems. */
  readonly withProblems: number;
  readonly bytesRead: number;
  /** What the scan itself met: folders it may not enter, lists it cannot read. */
  readonly problems: readonly Problem[];
}

/** A batch is committed after this many turns or milliseconds, so that no other process waits long. */
const BATCH = { turns: 4000, ms: 1500 };

export async function refresh(
  catalog: Catalog,
  store: SessionStore,
  options: RefreshOptions,
): Promise<RefreshResult> {
  const scan = await catalog.scan(options.sources);
  const scanned = catalog.sources
    .map((entry) => entry.source)
    .filter((id) => !options.sources || options.sources.includes(id));
  const { changes, unchanged } = findChanges(scan.artifacts, store.marks(), scanned, store.rowsVersion);
  const totalBytes = changes.reduce((sum, change) => sum + bytesOf(change), 0);
  let [indexed, removed, withProblems, bytesRead, done] = [0, 0, 0, 0, 0];

  let batch = { turns: 0, since: Date.now() };
  if (changes.length > 0) store.begin();
  try {
    for (const change of changes) {
      if (change.kind === "vanished") {
        store.remove(change.before.session);
        removed++;
      } else {
        const { turns, problems } = await indexOne(catalog, store, change.artifact, options);
        indexed++;
        if (problems > 0) withProblems++;
        bytesRead += bytesOf(change);
        batch.turns += turns;
      }
      done++;
      if (batch.turns >= BATCH.turns || Date.now() - batch.since >= BATCH.ms) {
        store.commit();
        store.begin();
        batch = { turns: 0, since: Date.now() };
      }
      options.onProgress?.({ done, total: changes.length, bytes: bytesRead, totalBytes });
    }
    if (changes.length > 0) store.commit();
  } catch (error) {
    store.rollback();
    throw error;
  }
  return { indexed, unchanged, removed, withProblems, bytesRead, problems: scan.problems };
}

async function indexOne(catalog: Catalog, store: SessionStore, artifact: Artifact, options: RefreshOptions) {
  const id = store.idFor(artifact);
  const extractor = createExtractor(store.replace(id), options);
  const problems: Problem[] = [];
  const session = await catalog.read(
    artifact,
    { event: (event) => extractor.event(event), problem: (problem) => void problems.push(problem) },
    { textLimit: Math.max(options.outputHead, 4096), skim: true },
  );
  extractor.end();
  store.finish(id, { session, problems, mark: { fingerprint: artifact.fingerprint } });
  return { turns: session.turns, problems: session.problems };
}

const bytesOf = (change: Change): number =>
  change.kind === "vanished" ? 0 : change.artifact.fingerprint.size;
