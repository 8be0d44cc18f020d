/** Wires the rooms: one object that answers every question a surface may ask. */
import { resolve } from "node:path";
import type { Demo } from "../demo/create.ts";
import { demoFolder, demoVars } from "../demo/places.ts";
import { AppError } from "../model/errors.ts";
import type { Problem } from "../model/problem.ts";
import { localFs } from "../platform/local-fs.ts";
import { isErrno, reasonOf } from "../platform/session-fs.ts";
import { type ContextReport, contextOf } from "../query/context.ts";
import { type Diagnosis, diagnose } from "../query/doctor.ts";
import type { Progress } from "../query/heads.ts";
import { knownSources, type ListFilter, listSessions, type SessionList } from "../query/list.ts";
import { type Overview, overviewOf } from "../query/overview.ts";
import type { SearchReport } from "../query/search.ts";
import { type ShowOptions, type ShowVisitor, showSession } from "../query/show.ts";
import { parseWhen } from "../query/when.ts";
import { type Catalog, openCatalog, type SourceRoots } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import type { Environment } from "../sources/source.ts";
import type { SessionFilter } from "../store/filter.ts";
import type { QueryResult } from "../store/read-only/run.ts";
import type { StoreTable } from "../store/schema.ts";
import type { Config } from "./config.ts";
import { ANSWER_QUERY } from "./self.ts";
import type { IndexReport, IndexRequest, SearchRequest, SqlRequest, StoreApp } from "./store-app.ts";

export type { Demo } from "../demo/create.ts";
export type { ContextReport, CountedMessage, TokenShare } from "../query/context.ts";
export type { Diagnosis, Finding } from "../query/doctor.ts";
export type { SessionList } from "../query/list.ts";
export type { Overview, Suggestion } from "../query/overview.ts";
export type { SearchReport } from "../query/search.ts";
export type { ShowVisitor } from "../query/show.ts";
export type { QueryResult } from "../store/read-only/run.ts";
export type { StoreTable } from "../store/schema.ts";
export type { Hit } from "../store/search.ts";
export type { IndexReport } from "./store-app.ts";

/** Filters as they are typed. */
export interface ListRequest {
  readonly sources?: readonly string[];
  readonly workspace?: string;
  readonly repository?: string;
  readonly branch?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
}

/** What to look for, and where. */
export interface SearchWords extends Omit<SearchRequest, "filter"> {
  readonly where: SearchPlace;
}

export interface SearchPlace extends ListRequest {
  readonly file?: string;
  readonly ref?: string;
  readonly tool?: string;
  readonly model?: string;
}

export interface App {
  readonly config: Config;
  readonly sources: readonly SourceRoots[];
  /** Set when the demo home is what is read, and why. */
  readonly demo: "asked" | "nothing-else" | undefined;
  list(request: ListRequest, progress?: Progress): Promise<SessionList>;
  show(name: string, options: ShowOptions, visitor: ShowVisitor): Promise<void>;
  context(name: string, progress?: Progress): Promise<ContextReport>;
  doctor(sources?: readonly string[], progress?: Progress): Promise<Diagnosis>;
  overview(sources?: readonly string[], progress?: Progress): Promise<Overview>;
  /** Brings the store up to date, or builds it anew. */
  index(request: IndexRequest): Promise<IndexReport>;
  search(request: SearchWords): Promise<SearchReport>;
  /** Runs one read-only query on the store, in a guarded process of its own. */
  sql(request: SqlRequest): Promise<QueryResult>;
  /** The tables that queries may rely on. */
  schema(): Promise<StoreTable[]>;
  /** Makes the demo home anew. */
  createDemo(): Promise<Demo>;
}

/** Told, in one sentence, what had to be done to go on. */
export type Notice = (sentence: string) => void;

export async function createApp(config: Config, notice: Notice = () => undefined): Promise<App> {
  const { catalog, demo } = await chooseCatalog(config);
  // Loaded on demand: reading sessions needs no database.
  const withStore = async (): Promise<StoreApp> => {
    const { createStoreApp } = await import("./store-app.ts");
    const folder = demo ? demoFolder(config.dataHome) : config.dataHome;
    return createStoreApp(catalog, { folder, now: config.now, self: [...config.self, ANSWER_QUERY], notice });
  };
  return {
    config,
    sources: catalog.sources,
    demo,
    list: (request, progress) => listSessions(catalog, toFilter(request, config), progress),
    show: (name, options, visitor) =>
      showSession(catalog, name, options, {
        ...visitor,
        head: (session, problems) => visitor.head(session, demo ? problems.map(inDemo) : problems),
      }),
    context: (name, progress) => contextOf(catalog, name, progress),
    async doctor(sources, progress) {
      const diagnosis = await diagnose(catalog, sources, progress);
      return demo ? { ...diagnosis, problems: diagnosis.problems.map(inDemo) } : diagnosis;
    },
    overview: (sources, progress) => overviewOf(catalog, config.now, sources, progress),
    index: async ({ sources, ...request }) =>
      (await withStore()).index({ ...request, ...(sources && { sources: knownSources(catalog, sources) }) }),
    search: async ({ where, ...request }) =>
      (await withStore()).search({
        ...request,
        filter: toStoreFilter(toFilter(where, config), where, catalog),
      }),
    sql: async (request) => (await withStore()).sql(request),
    schema: async () => (await withStore()).schema(),
    createDemo: () => makeDemo(config),
  };
}

/** The ids of all sources, for help and completion, without looking at the machine. */
export const SOURCE_IDS: readonly string[] = SOURCES.map((source) => source.id);

async function chooseCatalog(config: Config): Promise<Pick<App, "demo"> & { catalog: Catalog }> {
  const own = openCatalog(SOURCES, config.environment, localFs);
  if (config.demo === "off") return { catalog: own, demo: undefined };
  if (config.demo === "auto" && (await own.scan()).artifacts.length > 0)
    return { catalog: own, demo: undefined };
  const folder = demoFolder(config.dataHome);
  if (!(await localFs.exists(folder))) await makeDemo(config);
  return {
    catalog: openCatalog(SOURCES, demoEnvironment(config, folder), localFs),
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
      "permission-denied",
      `The demo cannot be written to ${demoFolder(dataHome)}: ${reasonOf(error)}`,
      "Name a folder that you may write to with RETHREAD_HOME",
      error,
    );
  }
}

function toFilter(request: ListRequest, { now, folder, environment }: Config): ListFilter {
  const { sources, workspace, repository, branch, since, until, limit } = request;
  return {
    ...(sources && sources.length > 0 && { sources }),
    ...(workspace !== undefined && { workspace: toPlace(workspace, folder, environment.homeDir) }),
    ...(repository !== undefined && { repository }),
    ...(branch !== undefined && { branch }),
    ...(since !== undefined && { since: parseWhen(since, "start", now) }),
    ...(until !== undefined && { until: parseWhen(until, "end", now) }),
    ...(limit !== undefined && { limit }),
  };
}

function toStoreFilter(filter: ListFilter, place: SearchPlace, catalog: Catalog): SessionFilter {
  const { sources, workspace, repository, branch, since, until } = filter;
  return {
    ...(sources && { sources: knownSources(catalog, sources) }),
    ...(workspace !== undefined && { workspace }),
    ...(repository !== undefined && { repository }),
    ...(branch !== undefined && { branch }),
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
    ...(place.file !== undefined && { file: place.file }),
    ...(place.ref !== undefined && { ref: toRef(place.ref) }),
    ...(place.tool !== undefined && { tool: place.tool }),
    ...(place.model !== undefined && { model: place.model }),
  };
}

function toRef(text: string): { type: string; value: string } {
  const [, type, value] = /^(commit|pr|issue):#?(.+)$/.exec(text) ?? [];
  if (type === undefined || value === undefined)
    throw new AppError("usage", `"${text}" is no reference`, "Write pr:42, issue:7 or commit:1a2b3c4");
  return { type, value };
}

/** "." and "~/work" name a folder; anything else is a part of a path. */
function toPlace(text: string, folder: string, homeDir: string): string {
  if (text === "~" || text.startsWith("~/")) return homeDir + text.slice(1);
  return /^\.{1,2}([/\\]|$)/.test(text) ? resolve(folder, text) : text;
}
