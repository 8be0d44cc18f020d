/** Decides which folders to watch, which session an event is about, and when to act. Pure. */
import { dirname, join } from "node:path";
import type { Problem } from "../model/problem.ts";
import type { Artifact } from "../model/session/session.ts";
import type { Scan } from "../sources/catalog.ts";

/** Enough for every active session; the system may allow few watches, and other programs need some, too. */
export const MOST_WATCHES = 190;
const HOT_SESSIONS = 150;
/** Those of which the folders beside the log are watched, too; the others' are looked at now and then. */
const HOTTEST_SESSIONS = 5;
/** Folders that appeared, and may become sessions. */
export const MOST_ARRIVED = 20;

/** What was found when everything was looked at last. */
export interface Known {
  readonly byPath: Map<string, Artifact>;
  /** The path of the session that has this folder for itself, or keeps files beside its log there. */
  pathIn(folder: string): string | undefined;
  /** What was wrong around them: a second look at one session does not find that again. */
  readonly problems: readonly Problem[];
}

export function toKnown(
  { artifacts, problems }: Scan,
  folderOf: (artifact: Artifact) => string | undefined,
  besideOf: (artifact: Artifact) => readonly string[] = () => [],
): Known {
  const byPath = new Map(artifacts.map((artifact) => [artifact.path, artifact]));
  // Few folders are watched, so few are asked for: the folders of all sessions would fill tens of megabytes.
  const asked = new Map<string, string | undefined>();
  const isIn = (artifact: Artifact, folder: string): boolean => {
    const own = folderOf(artifact);
    if (own === undefined || !folder.startsWith(own)) return false;
    return own === folder || besideOf(artifact).includes(folder);
  };
  return {
    byPath,
    pathIn(folder) {
      if (!asked.has(folder)) asked.set(folder, byPath.values().find((each) => isIn(each, folder))?.path);
      return asked.get(folder);
    },
    problems,
  };
}

/** The session that an event in a folder is about; undefined when it is unknown, so that everything must be scanned. */
export function concernedBy(known: Known, folder: string, name: string | undefined): Artifact | undefined {
  const log = name === undefined ? undefined : known.byPath.get(join(folder, name));
  return log ?? known.byPath.get(known.pathIn(folder) ?? "");
}

/** Where changes are likely: folders in which sessions appear, new sessions, and those written last. */
export function foldersToWatch(
  entrances: readonly string[],
  arrived: readonly string[],
  artifacts: Iterable<Artifact>,
  besideOf: (artifact: Artifact) => readonly string[] = () => [],
): string[] {
  const hot = hottest(artifacts);
  const folders = hot.map(({ path }) => dirname(path));
  const beside = hot.slice(0, HOTTEST_SESSIONS).flatMap(besideOf);
  return [...new Set([...entrances, ...arrived, ...beside, ...folders])];
}

/** The sessions that were written last, newest first. */
export const hottest = (artifacts: Iterable<Artifact>): Artifact[] =>
  [...artifacts]
    .filter(({ vanishedAt }) => vanishedAt === undefined)
    .sort((a, b) => b.fingerprint.mtimeMs - a.fingerprint.mtimeMs)
    .slice(0, HOT_SESSIONS);

/** As the indexer sees it: the same in everything that would make it read the session again. */
export const isSame = (one: Artifact, other: Artifact | undefined): boolean =>
  other !== undefined &&
  one.fingerprint.size === other.fingerprint.size &&
  one.fingerprint.mtimeMs === other.fingerprint.mtimeMs &&
  one.fingerprint.ino === other.fingerprint.ino &&
  one.vanishedAt === other.vanishedAt &&
  one.sidecars?.files === other.sidecars?.files &&
  JSON.stringify(one.listed) === JSON.stringify(other.listed);

/** The same scan: sessions whose logs are as they were are taken to have the same files beside them, too. */
export function asKnown(scan: Scan, known: Known | undefined): Scan {
  const artifacts = scan.artifacts.map((artifact) => {
    const before = known?.byPath.get(artifact.path);
    return before?.sidecars && isSame({ ...artifact, sidecars: before.sidecars }, before) ? before : artifact;
  });
  return { ...scan, artifacts };
}

/** Writers write in bursts: wait until they pause, but not for long, or a steady writer would never be indexed. */
const SETTLE_MS = 100;
const PATIENCE_MS = 300;
/** Most of the time is left to other programs, however much happens, but no change waits for ever. */
const REST = { times: 4, mostMs: 10_000 };

export interface Pulse {
  /** When the first and the last pending event arrived. */
  readonly first: number;
  readonly last: number;
  /** When the last act ended, and how long it took. */
  readonly ended: number;
  readonly took: number;
}

export const dueAt = ({ first, last, ended, took }: Pulse): number =>
  Math.max(Math.min(last + SETTLE_MS, first + PATIENCE_MS), ended + Math.min(took * REST.times, REST.mostMs));

/** A full scan takes less than a hundredth of a core, and watches report what is urgent. */
const SWEEP_MS = { least: 3000, most: 30_000 };
const SWEEP_REST = 150;

/** `cpuMs` is what the last look took, which a busy machine does not change as it does the time. */
export const sweepAfter = (cpuMs: number): number =>
  Math.min(SWEEP_MS.most, Math.max(SWEEP_MS.least, cpuMs * SWEEP_REST));

/** So often the files beside all logs are looked at: that takes longer than all else, and who writes them writes the log. */
const BESIDE_EVERY = 4;

/** `cpuMs` is what the last such look took; one that takes next to nothing is taken every time. */
export const looksBeside = (sweep: number, cpuMs: number): boolean =>
  sweep % BESIDE_EVERY === 0 || cpuMs * SWEEP_REST <= SWEEP_MS.least;
