/** Brings the store up to date with what is on disk: obeys `findChanges`, reads what changed, commits in batches. */
import { distinct, type Problem } from "../model/problem.ts";
import type { Artifact, SourceId } from "../model/session.ts";
import type { Catalog, Scan } from "../sources/catalog.ts";
import type { Stop } from "../store/rows.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { Sight } from "./archive.ts";
import { type Change, findChanges, inOrder } from "./changes.ts";
import { createExtractor, type ExtractState } from "./extract.ts";
import { judgeAbsent } from "./vanished.ts";

export interface RefreshOptions {
  readonly sources?: readonly SourceId[];
  /** How much of each tool's output is searchable, in characters. */
  readonly outputHead: number;
  readonly now: () => Date;
  /** What becomes of sessions whose files are gone (default: keep). */
  readonly vanished?: "keep" | "remove";
  readonly onProgress?: (progress: Progress) => void;
  /** Whoever builds everything anew also wants to be rid of what killed processes left. */
  readonly isThorough?: boolean;
  /** Keeps copies of sessions in step with what was found. */
  readonly archiving?: Archiving;
  /** Stop after so long, whatever is left: somebody waits for an answer. */
  readonly withinMs?: number;
  /** Stop when told so; what has been read until then stays. */
  readonly signal?: AbortSignal;
}

/** Gives back how many sessions were copied. */
export type Archiving = (sight: Sight, pace: Pace) => Promise<number>;

export interface Pace {
  readonly onProgress?: (progress: Progress) => void;
  /** Then what is left waits for the next time. */
  isTimeUp(): boolean;
  readonly isThorough: boolean;
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
  /** Sessions whose files are gone since the last time. */
  readonly removed: number;
  /** Those of them whose rows stay, marked as gone. */
  readonly kept: number;
  /** Sessions that were read with problems. */
  readonly withProblems: number;
  /** Sessions that could not be read at all, and folders that could not be entered. */
  readonly unreadable: number;
  readonly bytesRead: number;
  /** Turns that were read; of a log that goes on only those at its end. */
  readonly turns: number;
  /** Changed sessions that there was no time for; the next refresh goes on with them. */
  readonly pending: number;
  /** What the scan itself met: folders it may not enter, lists it cannot read. */
  readonly problems: readonly Problem[];
  /** Sessions that were copied to the vault, where that is asked for. */
  readonly archived: number;
}

/** A batch is committed after this many turns or milliseconds, so that no other process waits long. */
const BATCH = { turns: 4000, ms: 1500 };
/** Reading never waits for anything, so it has to pause for signals and timers to be heard. */
const BREATH_MS = 25;
/** Less than this is done before anybody's patience ends. */
const SOON_DONE = 1 << 30;

export async function refresh(
  catalog: Catalog,
  store: SessionStore,
  options: RefreshOptions,
): Promise<RefreshResult> {
  const scan = await catalog.scan(options.sources);
  const scanned = catalog.sources
    .map((entry) => entry.source)
    .filter((id) => !options.sources || options.sources.includes(id));
  const fateOf = judgeAbsent(scan, catalog.sources, options.vanished ?? "keep");
  const wanted = scan.artifacts.filter((each) => each.vanishedAt === undefined || fateOf(each) !== "remove");
  // Where no source was scanned as a whole, nothing else can have changed.
  const marks = store.marks(scanned.length === 0 ? wanted : undefined);
  const found = findChanges(wanted, marks, scanned, store.rowsVersion, fateOf);
  const totalBytes = found.changes.reduce((sum, change) => sum + bytesOf(change), 0);
  const isLong = options.withinMs !== undefined && totalBytes > SOON_DONE;
  const changes = inOrder(found.changes, isLong ? "newest" : "oldest");
  const until = Date.now() + (options.withinMs ?? Number.POSITIVE_INFINITY);
  let [indexed, removed, withProblems, bytesRead, turns, done] = [0, 0, 0, 0, 0, 0];
  let unreadable = scan.problems.filter(isUnreadable).length;
  const kept = new Set<string>();

  let batch = { turns: 0, since: Date.now() };
  let breathed = Date.now();
  if (changes.length > 0) store.begin();
  try {
    for (const change of changes) {
      if (!("artifact" in change)) {
        const { session } = change.before;
        if (change.kind === "removed") store.remove(session);
        else store.setVanished(session, change.kind === "vanished" ? options.now().toISOString() : undefined);
        if (change.kind === "removed") removed++;
        if (change.kind === "vanished") kept.add(session);
      } else {
        const one = await indexOne(catalog, store, change, options);
        kept.delete(one.id); // it only moved
        indexed++;
        if (one.problems > 0) withProblems++;
        if (one.isUnreadable) unreadable++;
        bytesRead += one.bytes;
        turns += one.turns;
        batch.turns += one.turns;
      }
      done++;
      if (batch.turns >= BATCH.turns || Date.now() - batch.since >= BATCH.ms) {
        store.commit();
        store.begin();
        batch = { turns: 0, since: Date.now() };
      }
      options.onProgress?.({ done, total: changes.length, bytes: bytesRead, totalBytes });
      if (Date.now() - breathed >= BREATH_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        breathed = Date.now();
      }
      if (breathed >= until || options.signal?.aborted) break;
    }
    if (changes.length > 0) store.commit();
    store.noteScan(seenAround(scan), scanned);
  } catch (error) {
    store.rollback();
    throw error;
  }
  const sight = { artifacts: scan.artifacts, scanned, fateOf };
  const isTimeUp = (): boolean => Date.now() >= until || options.signal?.aborted === true;
  const isThorough = options.isThorough ?? false;
  const pace: Pace = { isTimeUp, isThorough, ...(options.onProgress && { onProgress: options.onProgress }) };
  const archived = (await options.archiving?.(sight, pace)) ?? 0;
  return {
    indexed,
    unchanged: found.unchanged,
    removed: removed + kept.size,
    kept: kept.size,
    withProblems,
    unreadable,
    bytesRead,
    turns,
    pending: changes.length - done,
    problems: scan.problems,
    archived,
  };
}

/** What the scan itself found about sessions. A copy in another root goes by the same id, so it is told the same. */
function seenAround({ artifacts, problems }: Scan): Map<Artifact, readonly Problem[]> {
  const key = (source: SourceId, id: string): string => `${source}:${id}`;
  const about = Map.groupBy(
    problems.filter((problem) => problem.session !== undefined),
    (problem) => key(problem.source, problem.session ?? ""),
  );
  const seen = new Map<Artifact, readonly Problem[]>();
  if (about.size === 0) return seen;
  for (const artifact of artifacts) {
    const found = about.get(key(artifact.source, artifact.id));
    if (found) seen.set(artifact, distinct(found));
  }
  return seen;
}

interface Indexed {
  readonly id: string;
  readonly turns: number;
  readonly problems: number;
  readonly isUnreadable: boolean;
  readonly bytes: number;
}

async function indexOne(
  catalog: Catalog,
  store: SessionStore,
  change: Extract<Change, { artifact: Artifact }>,
  options: RefreshOptions,
): Promise<Indexed> {
  const { artifact } = change;
  const id = store.idFor(artifact);
  const stop = change.kind === "tail" ? store.stopOf(id) : undefined;
  const { reader, extract } = (stop?.state ?? {}) as Partial<StopState>;
  const from = stop && { offset: stop.readTo, lines: stop.lines, guard: stop.guard, state: reader };
  const goesOn = from !== undefined && extract !== undefined && (await catalog.canGoOn(artifact, from));
  const resumed = goesOn ? store.resume(id) : undefined;
  const rows = resumed?.rows ?? store.replace(id);
  let turns = 0;
  const extractor = createExtractor(
    {
      ...rows,
      turn(row) {
        turns++;
        rows.turn(row);
      },
    },
    options,
    goesOn ? { state: extract, turn: resumed?.last } : undefined,
  );
  const problems: Problem[] = [];
  let next: Stop | undefined;
  let lasting = 0;
  const session = await catalog.read(
    artifact,
    { event: (event) => extractor.event(event), problem: (problem) => void problems.push(problem) },
    {
      textLimit: Math.max(options.outputHead, 4096),
      skim: true,
      ...(goesOn && { from }),
      onBookmark({ offset, lines, guard, state }) {
        lasting = problems.length;
        const both: StopState = { reader: state, extract: extractor.state() };
        next = { readTo: offset, lines, guard, state: both };
      },
    },
  );
  extractor.end();
  store.finish(id, {
    session,
    problems,
    passing: problems.slice(lasting),
    mark: {
      fingerprint: artifact.fingerprint,
      ...(artifact.listed && { listed: artifact.listed }),
      ...(next && { stop: next }),
    },
  });
  if (artifact.vanishedAt !== undefined) store.setVanished(id, artifact.vanishedAt);
  const bytes = artifact.fingerprint.size - (goesOn ? from.offset : 0);
  return { id, turns, problems: session.problems, isUnreadable: problems.some(isUnreadable), bytes };
}

const isUnreadable = ({ code }: Problem): boolean =>
  code === "session-unreadable" || code === "folder-unreadable";

/** What both the reader and the extractor need to go on. */
interface StopState {
  readonly reader: unknown;
  readonly extract: ExtractState;
}

const bytesOf = (change: Change): number => {
  if (!("artifact" in change)) return 0;
  const { size } = change.artifact.fingerprint;
  return change.kind === "tail" ? size - (change.before.readTo ?? 0) : size;
};
