/** Keeps the store up to date while agents write, by file events and by polling. */
import { dirname, join } from "node:path";
import { AppError } from "../model/errors.ts";
import type { Artifact, SourceId } from "../model/session/session.ts";
import { formatKey, type SessionKey } from "../model/values/id.ts";
import type { Catalog, Scan } from "../sources/catalog.ts";
import { createAgenda, type Wanted } from "./agenda.ts";
import type { ChangedSessions } from "./changed-sessions.ts";
import { noteSidecars } from "./note-sidecars.ts";
import type { RefreshResult } from "./refresh.ts";
import {
  asKnown,
  concernedBy,
  foldersToWatch,
  hottest,
  isSame,
  type Known,
  looksBeside,
  MOST_ARRIVED,
  MOST_WATCHES,
  sweepAfter,
  toKnown,
} from "./watch-plan.ts";

export interface WatchParts {
  readonly catalog: Catalog;
  readonly sources?: readonly SourceId[];
  /** Brings the store up to date with what a catalog shows. */
  readonly refresh: (shown: Catalog) => Promise<RefreshResult>;
  /** Watches folders, as `platform/watch.ts` does. */
  readonly watchFolders: (listener: {
    changed(folder: string, name: string | undefined): void;
    limited(): void;
  }) => {
    set(folders: Iterable<string>, most: number): void;
    has(folder: string): boolean;
    readonly size: number;
    close(): void;
  };
  /** Around each look at everything: it comes every few seconds, and should leave no trace in memory. */
  readonly sparingly?: <T>(look: () => Promise<T>) => Promise<T>;
  /** Called for the first refresh, and for every later one that changed something. */
  readonly onRefresh: (result: RefreshResult) => void;
  /** Called with a sentence about what slows it down or stops it for now. */
  readonly onNotice: (sentence: string) => void;
}

export interface IndexWatch {
  /** How many folders are watched. */
  readonly watches: number;
  /** Resolves once it is closed; rejects when it met a defect of ours. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Without watches, those who wrote last are looked at so often. */
const GLANCE_MS = 500;

/** Resolves when the store is up to date for the first time. */
export async function watchIndex(parts: WatchParts): Promise<IndexWatch> {
  const { watchPoints } = parts.catalog;
  const { sparingly = (look) => look() } = parts;
  const end = Promise.withResolvers<void>();
  let known: Known | undefined;
  let arrived: string[] = [];
  let chosen: readonly string[] = watchPoints.newSessionFolders;
  let standIns: readonly string[] = [];
  let isUnderWay = false;
  /** What the look at the files found: another process may have indexed it before us, and then a refresh finds nothing. */
  let noticed = NOTHING;
  let trouble: string | undefined;
  let sweeps = 0;
  let thoroughMs = 0;
  let glance: NodeJS.Timeout | undefined;
  let sweep: NodeJS.Timeout | undefined;

  const folders = parts.watchFolders({
    changed(folder, name) {
      const concerned = known && concernedBy(known, folder, name);
      if (!concerned && name !== undefined && watchPoints.newSessionFolders.includes(folder)) {
        // A session gets its folder before its log, and what is written into it must be seen, too.
        arrived = [...arrived.filter((each) => each !== join(folder, name)), join(folder, name)].slice(
          -MOST_ARRIVED,
        );
        chooseAgain();
      }
      agenda.want(concerned?.path);
    },
    limited() {
      parts.onNotice(
        "The system allows no more file watches, so changes are looked for twice a second instead",
      );
      glance = setInterval(wantHottest, GLANCE_MS);
    },
  });
  const watchChosen = (): void => folders.set([...standIns, ...chosen], MOST_WATCHES);
  const chooseAgain = (): void => {
    chosen = foldersToWatch(
      watchPoints.newSessionFolders,
      arrived,
      known?.byPath.values() ?? [],
      watchPoints.besideOf,
    );
    watchChosen();
  };
  /** If a folder for new sessions does not exist yet, its parent is watched. */
  const mindEntrances = async (): Promise<void> => {
    const closed = watchPoints.newSessionFolders.filter((folder) => !folders.has(folder));
    watchChosen();
    standIns = closed.filter((folder) => !folders.has(folder)).map((folder) => dirname(folder));
    watchChosen();
    // What is already in a new folder appeared before it was watched.
    const opened = known ? closed.filter((folder) => folders.has(folder)) : [];
    for (const folder of opened)
      arrived = [...arrived, ...(await watchPoints.inside(folder))].slice(-MOST_ARRIVED);
    if (opened.length > 0) chooseAgain();
  };
  const wantHottest = (): void => {
    for (const { path } of hottest(known?.byPath.values() ?? [])) agenda.want(path);
  };

  const act = async ({ everything, paths }: Wanted): Promise<void> => {
    const before = process.cpuUsage();
    noticed = NOTHING;
    try {
      const isThorough = looksBeside(sweeps, thoroughMs);
      const shown = everything ? await lookAround(isThorough) : await lookAt([...paths]);
      const { user, system } = process.cpuUsage(before);
      const cpuMs = (user + system) / 1000;
      if (everything) {
        sweeps++;
        if (isThorough) thoroughMs = cpuMs;
        sweepAgain(cpuMs);
      }
      if (!shown) return;
      const result = await parts.refresh(shown);
      trouble = undefined;
      const sessions = joined(result.sessions, noticed);
      const { added, changed, vanished } = sessions;
      if (!isUnderWay || added.length + changed.length + vanished.length > 0)
        parts.onRefresh({ ...result, sessions });
    } catch (error) {
      // The user may fix the problem while this runs; until then everything is scanned again.
      if (!(error instanceof AppError && isUnderWay)) throw error;
      if (trouble !== error.message) parts.onNotice(`${error.message}. ${error.hint}`);
      trouble = error.message;
      known = undefined;
      sweepAgain(0);
    }
  };
  const noted = (scan: Scan): Promise<Scan> =>
    noteSidecars(parts.catalog, scan, (path) => known?.byPath.get(path)?.sidecars);
  /** Everything, if anything is not as it was. */
  const lookAround = async (isThorough: boolean): Promise<Catalog | undefined> => {
    const scan = await sparingly(async () => {
      const found = await parts.catalog.scan(parts.sources);
      return noted(isThorough ? found : asKnown(found, known));
    });
    const before = known?.byPath;
    const isAsBefore =
      scan.artifacts.length === before?.size &&
      scan.artifacts.every((artifact) => isSame(artifact, before.get(artifact.path)));
    if (!isAsBefore) {
      if (before) noticed = differences(before, scan.artifacts);
      known = toKnown(scan, watchPoints.folderOf, watchPoints.besideOf);
      chooseAgain();
    }
    await mindEntrances();
    return isAsBefore ? undefined : showing(parts.catalog, scan);
  };
  /** Those of some sessions that are not as they were. When one went, others may count instead of it. */
  const lookAt = async (paths: readonly string[]): Promise<Catalog | undefined> => {
    const before = paths.flatMap((path) => known?.byPath.get(path) ?? []);
    const seen = (await watchPoints.inspect(before)).flatMap((artifact) =>
      artifact ? [withoutSidecars(artifact)] : [],
    );
    const { artifacts: found } = await noted({ artifacts: seen, problems: [] });
    if (found.length < paths.length) return lookAround(true);
    const changed = found.filter((artifact) => !isSame(artifact, known?.byPath.get(artifact.path)));
    if (changed.length === 0) return undefined;
    noticed = { ...NOTHING, changed: changed.map(toKey) };
    for (const artifact of changed) known?.byPath.set(artifact.path, artifact);
    const problems = known?.problems.filter((problem) =>
      changed.some(({ source, id }) => source === problem.source && id === problem.session),
    );
    return { ...showing(parts.catalog, { artifacts: changed, problems: problems ?? [] }), sources: [] };
  };
  const sweepAgain = (cpuMs: number): void => {
    clearTimeout(sweep);
    sweep = setTimeout(() => agenda.want(), sweepAfter(cpuMs));
  };

  const close = async (): Promise<void> => {
    clearTimeout(sweep);
    clearInterval(glance);
    folders.close();
    await agenda.close();
    clearTimeout(sweep); // the last round may have set it again
  };
  const agenda = createAgenda(act, (error) => {
    void close();
    end.reject(error);
  });

  await mindEntrances();
  try {
    await agenda.begin();
  } catch (error) {
    await close();
    throw error;
  }
  isUnderWay = true;
  // What was written between the first look and the first watch.
  wantHottest();
  return {
    get watches() {
      return folders.size;
    },
    ended: end.promise,
    async close() {
      await close();
      end.resolve();
    },
  };
}

const NOTHING: ChangedSessions = { added: [], changed: [], vanished: [] };

const toKey = ({ source, id }: Artifact): SessionKey => ({ source, id });

function differences(before: ReadonlyMap<string, Artifact>, now: readonly Artifact[]): ChangedSessions {
  const paths = new Set(now.map(({ path }) => path));
  return {
    added: now.filter(({ path }) => !before.has(path)).map(toKey),
    changed: now.filter((one) => before.has(one.path) && !isSame(one, before.get(one.path))).map(toKey),
    vanished: [...before.values()].filter(({ path }) => !paths.has(path)).map(toKey),
  };
}

/** What a refresh says of a session counts; what it says nothing of is as it was seen. */
function joined(said: ChangedSessions, { added, changed, vanished }: ChangedSessions): ChangedSessions {
  const known = new Set([...said.added, ...said.changed, ...said.vanished].map(formatKey));
  const unsaid = (keys: readonly SessionKey[]): SessionKey[] =>
    keys.filter((key) => !known.has(formatKey(key)));
  return {
    added: [...said.added, ...unsaid(added)],
    changed: [...said.changed, ...unsaid(changed)],
    vanished: [...said.vanished, ...unsaid(vanished)],
  };
}

/** To be noted anew. */
const withoutSidecars = ({ sidecars: _, ...artifact }: Artifact): Artifact => artifact;

/** The catalog, as if this were all there is to find. */
const showing = (catalog: Catalog, scan: Scan): Catalog => ({ ...catalog, scan: async () => scan });
