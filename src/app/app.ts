/** Wires the rooms: one object that answers every question a surface may ask. */
import type { Demo } from "../demo/create.ts";
import { demoFolder, demoVars } from "../demo/places.ts";
import { unfinished } from "../edit/stage.ts";
import type { IndexWatch } from "../indexer/watch.ts";
import { AppError, type ErrorCode } from "../model/errors.ts";
import type { Problem } from "../model/problem.ts";
import { localFs } from "../platform/local-fs.ts";
import { isErrno, reasonOf } from "../platform/session-fs.ts";
import type { ContextReport } from "../query/context.ts";
import type { SessionDiff } from "../query/diff.ts";
import type { Diagnosis } from "../query/doctor.ts";
import { explainGone } from "../query/gone.ts";
import type { Progress } from "../query/heads.ts";
import { knownSources, listFromFiles, listSessions, type SessionList } from "../query/list.ts";
import type { Overview } from "../query/overview.ts";
import {
  type Found,
  type ReadTitles,
  resolveSession,
  titlesInFiles,
  titlesInStore,
} from "../query/resolve.ts";
import type { SearchReport } from "../query/search.ts";
import type { ShowOptions, ShowVisitor } from "../query/show.ts";
import type { DividedStats, Stats, StatsBy } from "../query/stats.ts";
import type { Tree } from "../query/tree.ts";
import { type Catalog, openCatalog, type SourceRoots, startingWith } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import type { Environment } from "../sources/source.ts";
import type { QueryResult } from "../store/read-only/run.ts";
import type { StoreSchema } from "../store/schema.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { Config } from "./config.ts";
import type { CopilotStoreApp } from "./copilot-store.ts";
import type { EditApp } from "./edit-app.ts";
import type { ExportReport, ExportRequest } from "./export-app.ts";
import { type ListRequest, type SearchPlace, toFilter, toStoreFilter } from "./filters.ts";
import { keptSessions } from "./kept-sessions.ts";
import { ANSWER_QUERY } from "./self.ts";
import { readSettings } from "./settings.ts";
import type {
  Freshness,
  IndexReport,
  IndexRequest,
  SearchRequest,
  SqlRequest,
  StoreApp,
  WatchRequest,
} from "./store-app.ts";

export type { Demo } from "../demo/create.ts";
export type { Progress as IndexProgress } from "../indexer/refresh.ts";
export type { Step as DiffStep } from "../model/compare.ts";
export type { ContextReport, CountedMessage, TokenShare } from "../query/context.ts";
export type { DiffSide, SessionDiff } from "../query/diff.ts";
export type { Diagnosis, Finding } from "../query/doctor.ts";
export type { SessionList } from "../query/list.ts";
export type { Overview, Suggestion } from "../query/overview.ts";
export type { SearchReport } from "../query/search.ts";
export type { ShowVisitor } from "../query/show.ts";
export type { DividedStats, Stats, StatsSum } from "../query/stats.ts";
export type { Relative } from "../query/tree.ts";
export type { QueryResult } from "../store/read-only/run.ts";
export type { StoreSchema } from "../store/schema.ts";
export type { Hit } from "../store/search.ts";
export type { CopilotStoreReport } from "./copilot-store.ts";
export type { EditApp, Write as EditWrite } from "./edit-app.ts";
export type { ExportedSession, ExportFormat, ExportReport, Write } from "./export-app.ts";
export type { ListRequest, SearchPlace } from "./filters.ts";
export type { IndexReport, WatchReport } from "./store-app.ts";
export type { PastWrite } from "./write-history.ts";

/** Which sessions a whole question is about, and how fresh the answer has to be. */
export interface ScopeRequest {
  readonly sources?: readonly string[];
  readonly noRefresh?: boolean;
}

/** A session is found by its title with the help of the store. */
export interface NamedRequest {
  readonly progress?: Progress;
  readonly noRefresh?: boolean;
}

/** What to look for, and where. */
export interface SearchWords extends Omit<SearchRequest, "filter"> {
  readonly where: SearchPlace;
}

/** Sessions by name, or all that fit. */
export interface ExportOf extends Omit<ExportRequest, "isFiltered" | "gone"> {
  readonly names: readonly string[];
  readonly where: ListRequest;
}

export interface App {
  readonly config: Config;
  readonly sources: readonly SourceRoots[];
  /** Set when the demo home is what is read, and why. */
  readonly demo: "asked" | "nothing-else" | undefined;
  list(request: ListRequest, progress?: Progress): Promise<SessionList>;
  show(name: string, options: ShowOptions & NamedRequest, visitor: ShowVisitor): Promise<void>;
  context(name: string, request?: NamedRequest): Promise<ContextReport>;
  /** What two sessions share, and where they part. */
  diff(a: string, b: string, request?: NamedRequest): Promise<SessionDiff>;
  /** Writes sessions to a file, a folder or stdout. */
  export(request: ExportOf): Promise<ExportReport>;
  doctor(sources?: readonly string[], progress?: Progress): Promise<Diagnosis>;
  /** The sessions that a rescue would help, by names that `edit` takes. */
  damaged(progress?: Progress): Promise<string[]>;
  overview(request: ScopeRequest, progress?: Progress): Promise<Overview>;
  /** How much was done, in all, or divided one way. */
  stats(request: ListRequest, progress?: Progress): Promise<Stats>;
  dividedStats(request: ListRequest, by: StatsBy, progress?: Progress): Promise<DividedStats>;
  /** Which sessions came from which, or only the relatives of one. */
  tree(request: NamedRequest & { readonly name?: string }): Promise<Tree>;
  /** Brings the store up to date, or builds it anew. */
  index(request: IndexRequest): Promise<IndexReport>;
  /** Keeps the store up to date until it is closed; resolves when it is for the first time. */
  watch(request: WatchRequest): Promise<IndexWatch>;
  /** Copilot CLI's own store, to be rebuilt from its sessions. */
  copilotStore(): Promise<CopilotStoreApp>;
  search(request: SearchWords): Promise<SearchReport>;
  /** Runs one read-only query on the store, in a guarded process of its own. */
  sql(request: SqlRequest): Promise<QueryResult>;
  /** The views and tables that queries may rely on. */
  schema(): Promise<StoreSchema>;
  /** Changes sessions: plans, writes, undoes. */
  edit(): Promise<EditApp>;
  /** Makes the demo home anew. */
  createDemo(): Promise<Demo>;
}

/** Told, in one sentence, what had to be done to go on. */
export type Notice = (sentence: string) => void;

export async function createApp(config: Config, tell: Notice = () => undefined): Promise<App> {
  const notice = once(tell);
  const settings = readSettings(config);
  const { catalog, demo } = await chooseCatalog(config, notice);
  const dataFolder = demo ? demoFolder(config.dataHome) : config.dataHome;
  // Whatever a process that died was writing is settled before anybody looks.
  if (unfinished(dataFolder).length > 0) {
    const { createWorkshop, recoverWrites } = await import("./edit-app.ts");
    await recoverWrites(createWorkshop(dataFolder, config.now), notice);
  }
  // Loaded on demand: reading sessions needs no database.
  const withStore = async (): Promise<StoreApp> => {
    const { createStoreApp } = await import("./store-app.ts");
    const self = [...config.self, ANSWER_QUERY];
    return createStoreApp(catalog, { ...settings, folder: dataFolder, now: config.now, self, notice });
  };
  const askStoreOr: AskStoreOr = async (asked, question, otherwise) => {
    try {
      return await (await withStore()).ask({ ...toFreshness(asked), isStrict: true }, question);
    } catch (error) {
      if (!isStoreFault(error)) throw error;
      notice(`${error.message}; the agents' own files are read instead`);
      return otherwise();
    }
  };
  /** Questions that only the store can answer. */
  const askStore = async <T>(asked: Asked, question: (store: SessionStore) => Promise<T> | T): Promise<T> =>
    (await withStore()).ask(toFreshness(asked), question);
  const titlesFor =
    (asked: Asked): ReadTitles =>
    (artifacts) =>
      askStoreOr(
        asked,
        (store) => titlesInStore(store, artifacts),
        () => titlesInFiles(catalog, asked.progress)(artifacts),
      );
  /** Who asks for a session that is gone is told so, rather than that there never was one. */
  const unlessGone = async <T>(name: string, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof AppError) || !NOT_FOUND.has(error.code)) throw error;
      const ids = catalog.sources.map((each) => each.source);
      const gone = await askStoreOr(
        { noRefresh: true },
        (store) => explainGone(store, name, ids),
        async () => undefined,
      );
      if (!gone) throw error;
      throw demo ? new AppError(gone.code, gone.message, `${gone.hint} --demo`) : gone;
    }
  };
  const find = (name: string, asked: Asked): Promise<Found> =>
    unlessGone(name, resolveSession(catalog, name, asked.progress, titlesFor(asked)));
  const list: App["list"] = (request, progress) => {
    const filter = toFilter(request, config, catalog);
    return askStoreOr(
      { ...request, progress },
      (store) => listSessions(catalog, store, filter, request.limit),
      () => listFromFiles(catalog, filter, request.limit, progress),
    );
  };
  return {
    config,
    sources: catalog.sources,
    demo,
    list,
    async show(name, options, visitor) {
      const { showSession } = await import("../query/show.ts");
      const shown = showSession(
        catalog,
        name,
        { ...options, titles: titlesFor(options) },
        {
          ...visitor,
          head: (session, problems) => visitor.head(session, demo ? problems.map(inDemo) : problems),
        },
      );
      return unlessGone(name, shown);
    },
    async context(name, request = {}) {
      const { contextOf } = await import("../query/context.ts");
      return unlessGone(name, contextOf(catalog, name, request.progress, titlesFor(request)));
    },
    async diff(a, b, request = {}) {
      const { diffSessions } = await import("../query/diff.ts");
      return diffSessions(catalog, await find(a, request), await find(b, request));
    },
    async export({ names, where, ...request }) {
      const [{ exportSessions }, { findHeads, namedHeads }] = await Promise.all([
        import("./export-app.ts"),
        import("../query/export.ts"),
      ]);
      const { progress } = request;
      const asked = { ...where, progress };
      const { heads, gone } =
        names.length > 0
          ? { heads: await namedHeads(catalog, names, (name) => find(name, asked)), gone: 0 }
          : await findHeads(catalog, (await list(where, progress)).sessions);
      const { folder, environment } = config;
      return exportSessions(
        catalog,
        demo ? heads.map((head) => ({ ...head, problems: head.problems.map(inDemo) })) : heads,
        { ...request, gone, isFiltered: names.length === 0 },
        { folder, homeDir: demo ? demoFolder(config.dataHome) : environment.homeDir, fs: localFs },
      );
    },
    async doctor(sources, progress) {
      const { diagnose } = await import("../query/doctor.ts");
      const diagnosis = await diagnose(catalog, sources, progress);
      return demo ? { ...diagnosis, problems: diagnosis.problems.map(inDemo) } : diagnosis;
    },
    async damaged(progress) {
      const { diagnose, inNeedOfRescue } = await import("../query/doctor.ts");
      return inNeedOfRescue(await diagnose(catalog, undefined, progress));
    },
    async overview(request, progress) {
      const { overviewFromFiles, overviewOf } = await import("../query/overview.ts");
      const sources = request.sources && knownSources(catalog, request.sources);
      return askStoreOr(
        { ...request, progress },
        (store) => overviewOf(catalog, store, config.now, sources),
        () => overviewFromFiles(catalog, config.now, sources, progress),
      );
    },
    async stats(request, progress) {
      const { statsOf } = await import("../query/stats.ts");
      const filter = toFilter(request, config, catalog);
      return askStore({ ...request, progress }, (store) => statsOf(catalog, store, filter));
    },
    async dividedStats(request, by, progress) {
      const { dividedStatsOf } = await import("../query/stats.ts");
      const filter = toFilter(request, config, catalog);
      return askStore({ ...request, progress }, (store) =>
        dividedStatsOf(catalog, store, filter, by, request.limit),
      );
    },
    async tree({ name, ...request }) {
      const [{ treeOf }, { readLineage }] = await Promise.all([
        import("../query/tree.ts"),
        import("../store/state/lineage.ts"),
      ]);
      const found = name === undefined ? undefined : await find(name, request);
      const recorded = readLineage(dataFolder, () => config.now);
      return askStore(request, (store) => treeOf(store, recorded, found?.artifact));
    },
    index: async ({ sources, ...request }) =>
      (await withStore()).index({ ...request, ...(sources && { sources: knownSources(catalog, sources) }) }),
    watch: async ({ sources, ...request }) =>
      (await withStore()).watch({ ...request, ...(sources && { sources: knownSources(catalog, sources) }) }),
    async copilotStore() {
      const { createCopilotStoreApp } = await import("./copilot-store.ts");
      const dataFolder = demo ? demoFolder(config.dataHome) : config.dataHome;
      return createCopilotStoreApp(catalog, { dataFolder, folder: config.folder });
    },
    search: async ({ where, ...request }) =>
      (await withStore()).search({
        ...request,
        filter: toStoreFilter(toFilter(where, config, catalog), where),
      }),
    sql: async (request) => (await withStore()).sql(request),
    schema: async () => (await withStore()).schema(),
    async edit() {
      const [{ createEditApp }, { afterWrite }] = await Promise.all([
        import("./edit-app.ts"),
        import("./after-write.ts"),
      ]);
      return createEditApp({
        catalog,
        home: dataFolder,
        now: config.now,
        folder: config.folder,
        find: (name) => find(name, {}),
        refresh: (plan) =>
          askStoreOr(
            { sources: [plan.session.source] },
            (store) => afterWrite(plan, store, dataFolder, () => config.now),
            async () => undefined, // the next command that can use the store brings it up to date
          ),
      });
    },
    createDemo: () => makeDemo(config),
  };
}

/** One command may come upon the same thing twice. */
function once(notice: Notice): Notice {
  const told = new Set<string>();
  return (sentence) => {
    if (!told.has(sentence)) notice(sentence);
    told.add(sentence);
  };
}

const NOT_FOUND: ReadonlySet<ErrorCode> = new Set(["session-not-found", "nothing-found"]);

/** The ids of all sources, for help and completion, without looking at the machine. */
export const SOURCE_IDS: readonly string[] = SOURCES.map((source) => source.id);

async function chooseCatalog(
  config: Config,
  notice: Notice,
): Promise<Pick<App, "demo"> & { catalog: Catalog }> {
  const open = (environment: Environment, folder: string): Catalog =>
    openCatalog(
      SOURCES,
      environment,
      localFs,
      keptSessions(folder, () => config.now, notice),
    );
  const own = open(config.environment, config.dataHome);
  if (config.demo === "off") return { catalog: own, demo: undefined };
  if (config.demo === "auto") {
    const found = await own.scan();
    if (found.artifacts.length > 0) return { catalog: startingWith(own, found), demo: undefined };
  }
  const folder = demoFolder(config.dataHome);
  if (!(await localFs.exists(folder))) await makeDemo(config);
  return {
    catalog: open(demoEnvironment(config, folder), folder),
    demo: config.demo === "on" ? "asked" : "nothing-else",
  };
}

/** Nothing of the real machine shows through: a source that looks beyond its variable finds the demo's folder, too. */
const demoEnvironment = (config: Config, folder: string): Environment => ({
  platform: config.environment.platform,
  homeDir: folder,
  vars: demoVars(folder),
});

/** What helps must be typed for the home it is about. */
const inDemo = <P extends Problem>(problem: P): P =>
  problem.fix?.startsWith("rethread ") ? { ...problem, fix: `${problem.fix} --demo` } : problem;

async function makeDemo({ dataHome, now }: Config): Promise<Demo> {
  // Forty stories are a lot to load for a command that needs none of them.
  const { createDemo } = await import("../demo/create.ts");
  try {
    return await createDemo({ fs: localFs, sources: SOURCES, home: dataHome, now });
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOSPC")) throw error;
    throw new AppError(
      isErrno(error, "ENOSPC") ? "disk-full" : "permission-denied",
      `The demo cannot be written to ${demoFolder(dataHome)}: ${reasonOf(error)}`,
      "Name a folder that you may write to with RETHREAD_HOME",
      error,
    );
  }
}

interface Asked extends ScopeRequest {
  readonly progress?: Progress | undefined;
}

/** What the agents' own files can answer as well is answered from them when the store cannot be used. */
type AskStoreOr = <T>(
  asked: Asked,
  question: (store: SessionStore) => Promise<T> | T,
  otherwise: () => Promise<T>,
) => Promise<T>;

const toFreshness = ({ noRefresh, sources, progress }: Asked): Freshness => ({
  refresh: !noRefresh,
  ...(sources && sources.length > 0 && { sources }),
  ...(progress && { onProgress: ({ bytes, totalBytes }) => progress(bytes, totalBytes) }),
});

const isStoreFault = (error: unknown): error is AppError =>
  error instanceof AppError &&
  ["store-unusable", "store-newer", "store-busy", "disk-full"].includes(error.code);
