/** What a surface may ask, and the shapes of the answers: types alone. */
import type { Demo } from "../demo/create.ts";
import type { IndexWatch } from "../indexer/watch.ts";
import type { Session } from "../model/session.ts";
import type { Checkpoints, OneCheckpoint } from "../query/checkpoints.ts";
import type { ContextReport } from "../query/context.ts";
import type { SessionDiff } from "../query/diff.ts";
import type { Diagnosis } from "../query/doctor.ts";
import type { Progress } from "../query/heads.ts";
import type { SessionList } from "../query/list.ts";
import type { Overview } from "../query/overview.ts";
import type { SearchReport } from "../query/search.ts";
import type { ShowOptions, ShowVisitor } from "../query/show.ts";
import type { DividedStats, Stats, StatsBy } from "../query/stats.ts";
import type { Tree } from "../query/tree.ts";
import type { SourceRoots } from "../sources/catalog.ts";
import type { StoreSchema } from "../store/schema.ts";
import type { QueryResult } from "../store/sql/run.ts";
import type { ChatApp } from "./chat/chat.ts";
import type { Config } from "./config.ts";
import type { EditApp } from "./edit-contract.ts";
import type { BundleReport, BundleRequest } from "./export/bundle.ts";
import type { ExportReport, ExportRequest } from "./export/export.ts";
import type { TranscriptReport } from "./export/transcript.ts";
import type { ListRequest, SearchPlace } from "./filters.ts";
import type { MigrateApp } from "./migrate/migrate.ts";
import type { CopilotStoreApp } from "./store/copilot-store.ts";
import type { IndexReport, IndexRequest, SearchRequest, SqlRequest, WatchRequest } from "./store/store.ts";

export type { BridgeEvent, Finished, SendOptions } from "../bridge/bridge.ts";
export type { ChatFiles, ChatList, Unreadable } from "../bridge/chat-files.ts";
export type { ChatHead, ChatMessage, ChatRecord } from "../bridge/chat-record.ts";
export type { Demo } from "../demo/create.ts";
export type { Pruned } from "../edit/backups/prune.ts";
export type { Progress as IndexProgress } from "../indexer/refresh.ts";
export type { Step as DiffStep } from "../model/compare.ts";
export type { Checkpoint, Checkpoints, OneCheckpoint } from "../query/checkpoints.ts";
export type { ContextReport, CountedMessage, TokenShare } from "../query/context.ts";
export type { DiffSide, SessionDiff } from "../query/diff.ts";
export type { Diagnosis, Finding } from "../query/doctor.ts";
export type { WorkspaceHealth } from "../query/doctor-workspaces.ts";
export type { SessionList } from "../query/list.ts";
export type { Overview, Suggestion } from "../query/overview.ts";
export type { SearchReport } from "../query/search.ts";
export type { ShowVisitor } from "../query/show.ts";
export type { DividedStats, Stats, StatsSum } from "../query/stats.ts";
export type { Relative } from "../query/tree.ts";
export type { StoreSchema } from "../store/schema.ts";
export type { Hit } from "../store/search/search.ts";
export type { QueryResult } from "../store/sql/run.ts";
export type { Audit, BadBlock, Need } from "../store/state/audit.ts";
export type { ChatApp } from "./chat/chat.ts";
export type { OwnRows } from "./edit/vendor-rows.ts";
export type { BackupReport, PastWrite } from "./edit/write-history.ts";
export type { EditApp, Write as EditWrite } from "./edit-contract.ts";
export type { BundleReport } from "./export/bundle.ts";
export type { ExportedSession, ExportFormat, ExportReport, Write } from "./export/export.ts";
export type { TranscriptReport } from "./export/transcript.ts";
export type { ListRequest, SearchPlace } from "./filters.ts";
export type { Migrated, Migration, MigrationFacts } from "./migrate/migrate.ts";
export type { CopilotStoreReport } from "./store/copilot-store.ts";
export type { IndexReport, WatchReport } from "./store/store.ts";

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

type Which = Pick<ExportOf, "names" | "where">;
export type BundleOf = Which & Omit<BundleRequest, "folder" | "now" | "guard">;
export type TranscriptOf = Which &
  Pick<ExportRequest, "out" | "force" | "stdout" | "redact"> & {
    /** `copilot` or `vscode`, whose own program takes it in. */
    readonly format: string;
  };

export interface Launch {
  readonly session: Session;
  readonly label: string;
  readonly words: readonly string[];
  /** Where it is to be started: the session's folder, unless that is gone or on another machine. */
  readonly folder?: string;
  /** The session's folder, where it should be on this machine and is not. */
  readonly missing?: string;
}

export interface App {
  readonly config: Config;
  readonly sources: readonly SourceRoots[];
  /** Set when the demo home is what is read, and why. */
  readonly demo: "asked" | "nothing-else" | undefined;
  list(request: ListRequest, progress?: Progress): Promise<SessionList>;
  show(name: string, options: ShowOptions & NamedRequest, visitor: ShowVisitor): Promise<void>;
  context(name: string, request?: NamedRequest): Promise<ContextReport>;
  /** The summaries that compactions of a session left. */
  checkpoints(name: string, request?: NamedRequest): Promise<Checkpoints>;
  /** One of them, or the latest. */
  checkpoint(name: string, number: number | undefined, request?: NamedRequest): Promise<OneCheckpoint>;
  /** What two sessions share, and where they part. */
  diff(a: string, b: string, request?: NamedRequest): Promise<SessionDiff>;
  /** Writes sessions to a file, a folder or stdout. */
  export(request: ExportOf): Promise<ExportReport>;
  /** Writes sessions into one bundle, with all that belongs to them. */
  exportBundle(request: BundleOf): Promise<BundleReport & { readonly gone: number }>;
  /** Writes one session in a form that Copilot CLI or VS Code itself imports. */
  exportTranscript(request: TranscriptOf): Promise<TranscriptReport & { readonly path?: string }>;
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
  /** Takes a whole home elsewhere. */
  migrating(): Promise<MigrateApp>;
  /** How a session's own program is started on it. */
  launch(name: string): Promise<Launch>;
  /** Gives the terminal to a program until it ends; undefined when there is no such program. Refused while a chat is under way in the session. */
  start(launch: Pick<Launch, "session" | "words">, folder: string): Promise<number | undefined>;
  /** Conversations with Copilot CLI; the program is the one on the path, unless it is named. */
  chat(request?: { readonly program?: string }): Promise<ChatApp>;
  /** Makes the demo home anew. */
  createDemo(): Promise<Demo>;
}

/** Told, in one sentence, what had to be done to go on. */
export type Notice = (sentence: string) => void;
