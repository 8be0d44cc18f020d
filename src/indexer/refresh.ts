/** Brings the store up to date: reads what `findChanges` reports, and commits in batches. */
import { distinct, type Problem } from "../model/problem.ts";
import type { Artifact, SourceId } from "../model/session/session.ts";
import type { Catalog, Scan } from "../sources/catalog.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { TagRecords } from "../store/state/tags.ts";
import type { Sight } from "./archive.ts";
import { type ChangedSessions, createChangeRecorder } from "./changed-sessions.ts";
import { type Change, type Changes, findChanges, inOrder, type Mark } from "./changes.ts";
import { findContextItems, findOwnItems, type OwnItems } from "./context-items.ts";
import { followFolders } from "./follow-folders.ts";
import { indexOne, isUnreadable } from "./index-one.ts";
import { lookAround, type Sweeping, sweepsOf } from "./look.ts";
import type { Readers, ReadingAhead } from "./read-ahead.ts";
import { isReadable } from "./readable-copy.ts";
import { judgeAbsent } from "./vanished.ts";

export interface RefreshOptions {
  readonly sources?: readonly SourceId[];
  /** How much of each tool's output is searchable, in characters. */
  readonly outputHead: number;
  readonly now: () => Date;
  /** Whether everything is looked at, where that is to be remembered for questions. */
  readonly sweeping?: Sweeping;
  /** What becomes of sessions whose files are gone (default: keep). */
  readonly vanished?: "keep" | "remove";
  readonly onProgress?: (progress: Progress) => void;
  /** A rebuild also removes what killed processes left behind. */
  readonly isThorough?: boolean;
  /** Keeps copies of sessions in step with what was found. */
  readonly archiving?: Archiving;
  /** The tags that were given to sessions, unless they are still those of the mark. */
  readonly tags?: (mark: string | undefined) => TagRecords | undefined;
  /** Our own part of the context board. */
  readonly ownItems?: OwnItems;
  /** Stop after this time, even if work is left, because a query is waiting; where there is much to read, sooner. */
  readonly withinMs?: number;
  /** Stop reading after this time, and leave the archive alone where work is left, because another refresh follows. */
  readonly pieceMs?: number;
  /** Milliseconds, for those (default: those of the system). */
  readonly clock?: () => number;
  /** How long to wait for another process that writes. */
  readonly patienceMs?: number;
  /** Stop when aborted; what was read until then is kept. */
  readonly signal?: AbortSignal;
  /** Starts threads that read while this one writes, where there is enough to read. */
  readonly readers?: (outputHead: number) => Promise<Readers>;
  /** Does the whole of it, or what a question waits for, where there is much to read, which this process is to be spared. */
  readonly elsewhere?: (isForQuestion: boolean) => Promise<RefreshResult>;
}

/** Gives back how many sessions were copied. */
export type Archiving = (sight: Sight, pace: Pace) => Promise<number>;

export interface Pace {
  readonly onProgress?: (progress: Progress) => void;
  /** Then what is left waits for the next time. */
  isTimeUp(): boolean;
  readonly isThorough: boolean;
  /** Called for a session that could not be copied. */
  problem?(problem: Problem): void;
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
  /** Turns that were read; of a log that grew, only the new ones. */
  readonly turns: number;
  /** Changed sessions that there was no time for; the next refresh reads them. */
  readonly pending: number;
  /** How much there is to read of them. */
  readonly pendingBytes: number;
  /** What the scan itself met: folders it may not enter, lists it cannot read; and what could not be archived. */
  readonly problems: readonly Problem[];
  /** Sessions that were copied to the vault, where that is asked for. */
  readonly archived: number;
  readonly sessions: ChangedSessions;
}

/** A session of hundreds of megabytes is written in one piece. */
const PATIENCE_MS = 30_000;
/** A batch is committed after this many turns or milliseconds, so that not much is lost. */
const BATCH = { turns: 4000, ms: 1500 };
/** After so long others who want to write are let in. */
const TURN_MS = 1000;
/** Reading never waits for anything, so it has to pause for signals and timers to be heard. */
const BREATH_MS = 25;
/** To read more takes longer than to start a process, and leaves more behind in memory. */
export const MUCH = 4 << 20;
/**
 * A question waits for so much. Where there is more, for so much of the newest, or until so long after it was asked,
 * whichever is first; but for the least time of reading, however long it took to look around.
 */
const FIRST_ANSWER = { bytes: 300 << 20, ms: 2500, leastMs: 1000 };

/** To start a thread takes as long as to read so much. */
export const WORTH_THREADS = 32 << 20;

async function startReading(
  catalog: Catalog,
  { readers, outputHead }: RefreshOptions,
): Promise<ReadingAhead | undefined> {
  if (!readers || catalog.fs.isDisk !== true) return undefined;
  // Loaded where it is needed, as most refreshes have little to read.
  const { readAhead } = await import("./read-ahead.ts");
  return readAhead(catalog, await readers(outputHead));
}

export async function refresh(
  catalog: Catalog,
  store: SessionStore,
  options: RefreshOptions,
): Promise<RefreshResult> {
  const clock = options.clock ?? Date.now;
  const beganAt = clock();
  const asked = catalog.sources
    .map((entry) => entry.source)
    .filter((id) => !options.sources || options.sources.includes(id));
  const { sources, sweeping } = options;
  const began = options.now().getTime();
  let readers: ReadingAhead | undefined;
  // It takes them as long to begin as it takes to look at what lies beside thousands of logs.
  const onNew = async (bytes: number): Promise<void> => {
    if (bytes >= WORTH_THREADS && !options.elsewhere) readers = await startReading(catalog, options);
  };
  const look = await lookAround(catalog, store, asked, { sources, sweeping, nowMs: began, onNew }).catch(
    (error: unknown) => {
      readers?.close();
      throw error;
    },
  );
  const { scan, scanned, marks } = look;
  const fateOf = judgeAbsent(scan, catalog.sources, options.vanished ?? "keep");
  const wanted = scan.artifacts.filter((each) => each.vanishedAt === undefined || fateOf(each) !== "remove");
  const find = (known: readonly Mark[]): Changes =>
    findChanges(wanted, known, scanned, store.rowsVersion, fateOf);
  const found = find(marks);
  const totalBytes = found.changes.reduce((sum, change) => sum + bytesOf(change), 0);
  const isAnswerFirst = options.withinMs !== undefined && totalBytes > FIRST_ANSWER.bytes;
  if (options.elsewhere && totalBytes >= MUCH) return options.elsewhere(isAnswerFirst);
  const withinMs = options.withinMs ?? Number.POSITIVE_INFINITY;
  const until = isAnswerFirst
    ? Math.max(beganAt + Math.min(withinMs, FIRST_ANSWER.ms), clock() + FIRST_ANSWER.leastMs)
    : beganAt + withinMs;
  const isTimeUp = (): boolean =>
    clock() >= until ||
    options.signal?.aborted === true ||
    (isAnswerFirst && bytesRead >= FIRST_ANSWER.bytes);
  let changes = inOrder(found.changes);
  let unchanged = found.unchanged + look.quiet;
  let [indexed, removed, withProblems, bytesRead, turns, at] = [0, 0, 0, 0, 0, 0];
  let unreadable = scan.problems.filter(isUnreadable).length;
  const kept = new Set<string>();
  const recorder = createChangeRecorder();

  /** What others have done while they had the store need not be done again. */
  const takeTurn = async (): Promise<boolean> => {
    if (!(await store.takeTurn(options.patienceMs ?? PATIENCE_MS, isTimeUp))) return false;
    if (!store.othersWrote()) return true;
    const left = inOrder(find(store.marks()).changes);
    unchanged += Math.max(0, changes.length - at - left.length);
    changes = [...changes.slice(0, at), ...left];
    return true;
  };
  if (totalBytes >= WORTH_THREADS) readers ??= await startReading(catalog, options);
  let batch = { turns: 0, since: Date.now() };
  let [breathed, alone] = [Date.now(), Date.now()];
  let isWriting = false;
  try {
    isWriting = changes.length > 0 && (await takeTurn());
    while (isWriting && at < changes.length) {
      const change = changes[at++] as Change;
      if (!("artifact" in change)) {
        const { session } = change.before;
        const key = store.keyOf(session);
        if (key) recorder.note(session, change.kind === "returned" ? "changed" : "vanished", key);
        if (change.kind === "removed") store.remove(session);
        else store.setVanished(session, change.kind === "vanished" ? options.now().toISOString() : undefined);
        if (change.kind === "removed") removed++;
        if (change.kind === "vanished") kept.add(session);
      } else if (change.before && !(await isReadable(catalog, change.artifact))) {
        unreadable++;
      } else {
        const isAhead = readers?.ahead(changes, at - 1) ?? false;
        const one =
          isAhead && readers
            ? await readers.take(change.artifact, catalog, store)
            : await indexOne(catalog, store, change, options);
        kept.delete(one.id); // it only moved
        recorder.note(one.id, change.before ? "changed" : "added", change.artifact);
        indexed++;
        if (one.problems > 0) withProblems++;
        if (one.isUnreadable) unreadable++;
        bytesRead += one.bytes;
        turns += one.turns;
        batch.turns += one.turns;
      }
      if (batch.turns >= BATCH.turns || Date.now() - batch.since >= BATCH.ms) {
        store.commit();
        if (Date.now() - alone >= TURN_MS) {
          await store.letOthersIn();
          alone = Date.now();
        }
        isWriting = await takeTurn();
        batch = { turns: 0, since: Date.now() };
      }
      options.onProgress?.({ done: at, total: changes.length, bytes: bytesRead, totalBytes });
      if (Date.now() - breathed >= BREATH_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        breathed = Date.now();
      }
      if (isTimeUp() || clock() - beganAt >= (options.pieceMs ?? Number.POSITIVE_INFINITY)) break;
    }
    if (isWriting || changes.length === 0)
      for (const row of await followFolders(catalog, store, changes.length > 0)) {
        const key = store.keyOf(row);
        if (key) recorder.noteAround(row, key);
      }
    if (isWriting || changes.length === 0)
      for (const row of store.noteScan(seenAround(scan), scanned)) {
        const key = store.keyOf(row);
        if (key) recorder.noteAround(row, key);
      }
    if (isWriting) store.commit();
  } catch (error) {
    store.rollback();
    throw error;
  } finally {
    readers?.close();
  }
  const board = {
    own: options.ownItems && findOwnItems(options.ownItems, store),
    vendors: await findContextItems(catalog, store, asked),
  };
  for (const whose of ["own", "vendors"] as const) {
    const found = board[whose];
    if (found && (await store.takeTurn(options.patienceMs ?? PATIENCE_MS, isTimeUp)))
      store.keepContextItems(whose, found.items, found.mark);
  }
  const tags = options.tags?.(store.tagMark());
  if (tags && (await store.takeTurn(options.patienceMs ?? PATIENCE_MS, isTimeUp))) store.keepTags(tags);
  const sweeps = sweeping && at === changes.length ? await sweepsOf(catalog, look, began) : [];
  if (sweeps.length > 0 && (await store.takeTurn(options.patienceMs ?? PATIENCE_MS, isTimeUp)))
    store.keepSweeps(sweeps);
  const sight = { artifacts: scan.artifacts, scanned, fateOf };
  const isThorough = options.isThorough ?? false;
  const problems = [...scan.problems];
  const pace: Pace = {
    isTimeUp,
    isThorough,
    problem: (problem) => void problems.push(problem),
    ...(options.onProgress && { onProgress: options.onProgress }),
  };
  const isPiece = options.pieceMs !== undefined && at < changes.length;
  const archived = isPiece ? 0 : ((await options.archiving?.(sight, pace)) ?? 0);
  return {
    indexed,
    unchanged,
    removed: removed + kept.size,
    kept: kept.size,
    withProblems,
    unreadable,
    bytesRead,
    turns,
    pending: changes.length - at,
    pendingBytes: changes.slice(at).reduce((sum, change) => sum + bytesOf(change), 0),
    problems,
    archived,
    sessions: recorder.result(),
  };
}

/** Problems that the scan itself found. A copy in another root has the same id, so it gets the same problems. */
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

const bytesOf = (change: Change): number => {
  if (!("artifact" in change)) return 0;
  if (change.kind === "sidecars") return 0;
  const { size } = change.artifact.fingerprint;
  return change.kind === "tail" ? size - (change.before.readTo ?? 0) : size;
};
