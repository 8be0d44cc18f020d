/** The types of every call that a surface may make, and of its answer. */
import type { IndexWatch } from "../indexer/watch.ts";
import type { ChangedFile } from "../model/session/changed-files.ts";
import type { Session } from "../model/session/session.ts";
import type { TagCount, TaggedSession } from "../model/session/tags.ts";
import type { SessionKey } from "../model/values/id.ts";
import type { EditedFiles, FilesRequest } from "../query/blame/changed-files.ts";
import type { BriefRequest, SessionBrief } from "../query/brief.ts";
import type { Checkpoints, OneCheckpoint } from "../query/checkpoints.ts";
import type { ContextReport } from "../query/context.ts";
import type { SessionDiff } from "../query/diff.ts";
import type { Diagnosis, Finding } from "../query/doctor.ts";
import type { FindRequest, FoundText } from "../query/find.ts";
import type { FolderMatches } from "../query/folder-matches.ts";
import type { SessionImage } from "../query/image.ts";
import type { IndexState } from "../query/index-state.ts";
import type { LensReport } from "../query/lens-report.ts";
import type { SessionList } from "../query/list.ts";
import type { SessionOutline } from "../query/outline.ts";
import type { Overview } from "../query/overview.ts";
import type { RecordRequest } from "../query/record.ts";
import type { SearchReport } from "../query/search.ts";
import type { ShowOptions, ShowVisitor } from "../query/show.ts";
import type { DividedStats, Stats, StatsBy } from "../query/stats.ts";
import type { Tree } from "../query/tree.ts";
import type { TurnPage, TurnsRequest } from "../query/turns.ts";
import type { Places, WhereRequest } from "../query/where.ts";
import type { WorkspaceList } from "../query/workspaces.ts";
import type { SourceAbilities } from "../sources/abilities.ts";
import type { SourceRoots } from "../sources/catalog.ts";
import type { RecordText } from "../sources/log/record-text.ts";
import type { StoreSchema } from "../store/schema.ts";
import type { BlameReport, BlameRequest } from "./blame/blame.ts";
import type { BoardApp } from "./board/contract.ts";
import type { Call } from "./call.ts";
import type { ChatApp } from "./chat/chat.ts";
import type { ChronicleApp } from "./chronicle/chronicle-app.ts";
import type { EditApp } from "./edit-contract.ts";
import type { BundleReport, BundleRequest } from "./export/bundle.ts";
import type { ExportReport, ExportRequest } from "./export/export.ts";
import type { ExportReduction } from "./export/reduced.ts";
import type { TranscriptReport } from "./export/transcript.ts";
import type { ListRequest, SearchPlace, WorkPlace } from "./filters.ts";
import type { JobsApp } from "./jobs/jobs-app.ts";
import type { MigrateApp } from "./migrate/migrate-app.ts";
import type { SecretsApp } from "./secrets/contract.ts";
import type { SettingList } from "./settings-file.ts";
import type { CopilotStoreApp } from "./store/copilot-store.ts";
import type {
  IndexReport,
  IndexRequest,
  SearchRequest,
  SqlAnswer,
  SqlRequest,
  WatchRequest,
} from "./store/store.ts";
import type { SyncApp } from "./sync/contract.ts";
import type { TagRequest } from "./tagging.ts";

export type { BridgeEvent, Finished, SendOptions } from "../bridge/bridge.ts";
export type { ChatFiles, ChatList, Unreadable } from "../bridge/chat-files.ts";
export type { ChatKeeping } from "../bridge/chat-keeping.ts";
export type { ChatHead, ChatMessage, ChatRecord } from "../bridge/chat-record.ts";
export type { BoardWrite, Pruned as PrunedItems } from "../chronicle/board/board.ts";
export type { Proposal } from "../chronicle/board/proposals.ts";
export type { Improvements, InstructionChange } from "../chronicle/improve/improve.ts";
export type { Lesson } from "../chronicle/improve/lesson.ts";
export type { ReportKind } from "../chronicle/polish/prompt.ts";
export type { Evidence, ReportedSession } from "../chronicle/report.ts";
export type {
  Standup,
  StandupBranch,
  StandupCommit,
  StandupRef,
  StandupRepository,
  StandupSession,
} from "../chronicle/standup/standup.ts";
export type { Finding as Tip } from "../chronicle/tips/finding.ts";
export type { Tips } from "../chronicle/tips/tips.ts";
export type { Demo } from "../demo/create.ts";
export type { Blocker } from "../edit/apply/check.ts";
export type { Pruned } from "../edit/backups/prune.ts";
export type { Progress as IndexProgress } from "../indexer/refresh.ts";
export type { ChangedFile } from "../model/session/changed-files.ts";
export type { DiffStep } from "../model/session/compare.ts";
export type { TagCount, TaggedSession } from "../model/session/tags.ts";
export type { Blame, BlamedLine } from "../query/blame/blame.ts";
export type { EditedFile, EditedFiles, FilesRequest } from "../query/blame/changed-files.ts";
export type { SessionEdit } from "../query/blame/edit-collector.ts";
export type { AttributedEdit } from "../query/blame/gather.ts";
export type { Reason, Why } from "../query/blame/why.ts";
export type { BriefRequest, SessionBrief } from "../query/brief.ts";
export type { Checkpoint, Checkpoints, OneCheckpoint } from "../query/checkpoints.ts";
export type { ContextReport, CountedMessage, TokenShare } from "../query/context.ts";
export type { DiffSide, SessionDiff } from "../query/diff.ts";
export type { Diagnosis, Finding } from "../query/doctor.ts";
export type { WorkspaceHealth } from "../query/doctor-workspaces.ts";
export type { FindPlace, FindRequest, FoundText, TextMatch } from "../query/find.ts";
export type { FolderMatch, FolderMatches } from "../query/folder-matches.ts";
export type { SessionImage } from "../query/image.ts";
export type { IndexedHome, IndexState } from "../query/index-state.ts";
export type { Fate, LensPassage } from "../query/lens.ts";
export type {
  FatedPassage,
  FatedTurn,
  LensBudget,
  LensReport,
  LensShare,
} from "../query/lens-report.ts";
export type { SessionList } from "../query/list.ts";
export type { SessionOutline } from "../query/outline.ts";
export type { Overview, Suggestion } from "../query/overview.ts";
export type { RecordRequest } from "../query/record.ts";
export type { SearchReport } from "../query/search.ts";
export type { ShowVisitor } from "../query/show.ts";
export type { DividedStats, Stats, StatsSum } from "../query/stats.ts";
export type { Relative } from "../query/tree.ts";
export type { TurnPage, TurnsRequest } from "../query/turns.ts";
export type { Places, WhereRequest } from "../query/where.ts";
export type { WorkspaceList, WorkspaceSummary } from "../query/workspaces.ts";
export type { SourceAbilities } from "../sources/abilities.ts";
export type { RecordText } from "../sources/log/record-text.ts";
export type { StoreSchema } from "../store/schema.ts";
export type { Hit } from "../store/search/search.ts";
export type { QueryResult } from "../store/sql/run.ts";
export type { Audit, BadBlock, Need } from "../store/state/audit.ts";
export type { BoardChange } from "../store/state/board.ts";
export type { BlameReport, BlameRequest } from "./blame/blame.ts";
export type { BoardApp, BoardList, Consolidated } from "./board/contract.ts";
export type { Call, CallFreshness, CallProgress, Notice } from "./call.ts";
export type { ChatAgent, ChatApp } from "./chat/chat.ts";
export type { ChronicleApp, StandupOf } from "./chronicle/chronicle-app.ts";
export type { ImproveOf } from "./chronicle/improve.ts";
export type { KeptPlan, Ticket } from "./edit/kept-plans.ts";
export type { VendorRows } from "./edit/vendor-rows.ts";
export type { BackupReport, PastWrite } from "./edit/write-history.ts";
export type { EditApp, Write as EditWrite } from "./edit-contract.ts";
export type { BundleReport } from "./export/bundle.ts";
export type { ExportedSession, ExportFormat, ExportReport, Write } from "./export/export.ts";
export type { ExportReduction } from "./export/reduced.ts";
export type { TranscriptReport } from "./export/transcript.ts";
export type { ListRequest, SearchPlace, WorkPlace } from "./filters.ts";
export type { Job, JobChange, JobFailure } from "./jobs/job-files.ts";
export type { JobsApp } from "./jobs/jobs-app.ts";
export type { Migrated, Migration, MigrationFacts } from "./migrate/core.ts";
export type { MigrateApp } from "./migrate/migrate-app.ts";
export type { Setting, SettingList } from "./settings-file.ts";
export type { CopilotStoreReport } from "./store/copilot-store.ts";
export type { IndexReport, IndexRequest, SqlAnswer, WatchReport } from "./store/store.ts";
export type { TagRequest } from "./tagging.ts";

/** Which sources a question is about; all of them, unless some are named. */
export interface ScopeRequest {
  readonly sources?: readonly string[];
}

/** What to look for, and where. */
export interface SearchWords extends Omit<SearchRequest, "filter"> {
  readonly where?: SearchPlace;
}

/** Sessions by name, or all that match. */
export interface ExportOf extends Omit<ExportRequest, "isFiltered" | "gone" | "progress"> {
  readonly names: readonly string[];
  readonly where: WorkPlace;
}

export type ShowRequest = Pick<ShowOptions, "turn" | "textLimit" | "whole">;

type Which = Pick<ExportOf, "names" | "where">;
export type BundleOf = Which & Omit<BundleRequest, "folder" | "now" | "guard" | "progress">;
export type TranscriptOf = Which &
  Pick<ExportRequest, "out" | "force" | "write" | "redact"> & {
    /** `copilot` or `vscode`, whose own program takes it in. */
    readonly format: string;
    /** What a smaller copy leaves out. */
    readonly reduction?: ExportReduction;
  };

export interface Launch {
  readonly session: Session;
  readonly label: string;
  readonly words: readonly string[];
  /** What its environment must have, so that it finds its sessions where we do. */
  readonly vars: Readonly<Record<string, string>>;
  /** Where it is to be started: the session's folder, unless that is gone or on another machine. */
  readonly folder?: string;
  /** The session's folder, where it should be on this machine and is not. */
  readonly missing?: string;
}

export interface LongLife {
  /** Does as `App.index`, in a process of its own. */
  index?(request: IndexRequest, call: Call): Promise<IndexReport>;
}

/** What every surface may ask. Each call is a request of its own: settings, notices and the store are opened for it. */
export interface App {
  readonly sources: readonly SourceRoots[];
  /** Set when the demo home is what is read, and why. */
  readonly demo: "asked" | "nothing-else" | undefined;
  /** Where what we keep of these sessions lies: our own folder, that of the demo, or one for an account of a hub. */
  readonly dataFolder: string;
  /**
   * For a process that lives long: the store stays open for some seconds after a call, for the next one, and index runs
   * that read much are left to `index`. Gives back what ends that.
   */
  liveLong(help?: LongLife): Promise<() => void>;
  /** Lets go of the connection to a hub, where sessions are read from one. */
  close(): Promise<void>;
  /** When the last plan expires that was made here and not applied; nothing where there is none. */
  keepsPlansUntil(): Date | undefined;
  list(request?: ListRequest, call?: Call): Promise<SessionList>;
  show(name: string, options: ShowRequest, visitor: ShowVisitor, call?: Call): Promise<void>;
  /** The turns of a session in a line each; its log is read only where the store does not know it as it is now. */
  outline(name: string, call?: Call): Promise<SessionOutline>;
  /** What somebody needs to know who takes the session up. */
  brief(name: string, request?: BriefRequest, call?: Call): Promise<SessionBrief>;
  /** Some turns of a session, without reading the rest of a long log where the store knows their places. */
  turns(name: string, request?: TurnsRequest, call?: Call): Promise<TurnPage>;
  /** One record of a session as its program wrote it. */
  record(name: string, request: RecordRequest, call?: Call): Promise<RecordText>;
  /** The files that a session changed, each once, with the lines of its edits where those were recorded. */
  changedFiles(name: string, call?: Call): Promise<readonly ChangedFile[]>;
  /** One picture of a session, by the id that its turns have for it. */
  image(name: string, id: string, call?: Call): Promise<SessionImage>;
  /** Every place of a session that says something. */
  find(name: string, request: FindRequest, call?: Call): Promise<FoundText>;
  /** Writes a session as a page into our own folder, and gives back its path. */
  page(name: string, request: Pick<ExportRequest, "format" | "redact">, call?: Call): Promise<string>;
  /** What was last asked in a session; from the store as it is, and nothing where the store cannot tell. */
  lastPrompt(key: SessionKey, call?: Call): Promise<string | undefined>;
  /** The sessions that continue the work in a folder, the best first. */
  folderMatches(
    request: { readonly folder?: string; readonly limit?: number } & ScopeRequest,
    call?: Call,
  ): Promise<FolderMatches>;
  context(name: string, call?: Call): Promise<ContextReport>;
  /** What fills the context, and what a clone with this budget would keep of it. Nothing is written or kept. */
  lens(name: string, request?: { readonly budget?: number }, call?: Call): Promise<LensReport>;
  /** The summaries that compactions of a session left. */
  checkpoints(name: string, call?: Call): Promise<Checkpoints>;
  /** One of them, or the latest. */
  checkpoint(name: string, number?: number, call?: Call): Promise<OneCheckpoint>;
  /** Who wrote each line of a file: the turns of sessions, and commits for the rest. */
  blame(request: BlameRequest, call?: Call): Promise<BlameReport>;
  /** The files that sessions changed. */
  files(request?: FilesRequest, call?: Call): Promise<EditedFiles>;
  /** Compares two sessions turn by turn. */
  diff(a: string, b: string, call?: Call): Promise<SessionDiff>;
  /** Writes sessions to a file, a folder or the caller. */
  export(request: ExportOf, call?: Call): Promise<ExportReport>;
  /** Writes sessions into one bundle, with all that belongs to them. */
  exportBundle(request: BundleOf, call?: Call): Promise<BundleReport & { readonly gone: number }>;
  /** Writes one session in a form that Copilot CLI or VS Code itself imports. */
  exportTranscript(
    request: TranscriptOf,
    call?: Call,
  ): Promise<TranscriptReport & { readonly path?: string }>;
  /** `found` is called with what is wrong with a session as soon as it was read. */
  doctor(
    request?: ScopeRequest,
    call?: Call,
    found?: (findings: readonly Finding[]) => void,
  ): Promise<Diagnosis>;
  /** The sessions that a rescue would help, by names that `edit` takes. */
  damaged(call?: Call): Promise<string[]>;
  overview(request?: ScopeRequest, call?: Call): Promise<Overview>;
  /** The workspaces that sessions are about, and those that a copy of one can go to. */
  workspaces(request?: ScopeRequest, call?: Call): Promise<WorkspaceList>;
  /** How much was done, in all, or divided one way. */
  stats(request?: WorkPlace, call?: Call): Promise<Stats>;
  dividedStats(
    request: WorkPlace & { readonly limit?: number },
    by: StatsBy,
    call?: Call,
  ): Promise<DividedStats>;
  /** Which sessions came from which, or only the relatives of one. */
  tree(request?: { readonly name?: string }, call?: Call): Promise<Tree>;
  /** Brings the store up to date, or rebuilds it. When stopped, it keeps what it has done and reports what is left. */
  index(request?: IndexRequest, call?: Call): Promise<IndexReport>;
  /** Brings the store up to date as every question does, within the time that a question may take. */
  refresh(call?: Call): Promise<void>;
  /** How far the store is, as it is, and which homes it is filled from. */
  indexState(call?: Call): Promise<IndexState>;
  /** Keeps the store up to date until it is closed; resolves when it is for the first time. */
  watch(request: WatchRequest, call?: Call): Promise<IndexWatch>;
  /** Copilot CLI's own store, to be rebuilt from its sessions. */
  copilotStore(): Promise<CopilotStoreApp>;
  search(request: SearchWords, call?: Call): Promise<SearchReport>;
  /** The turns that touched a file, have a reference, or in which a text or an error was seen. */
  where(request: WhereRequest, call?: Call): Promise<Places>;
  /** Runs one read-only query on the store, in a guarded process of its own. */
  sql(request: SqlRequest, call?: Call): Promise<SqlAnswer>;
  /** The views and tables that queries may rely on. */
  schema(call?: Call): Promise<StoreSchema>;
  /** The settings, or one of them. */
  settings(name?: string, call?: Call): Promise<SettingList>;
  /** Changes one in config.json, from the text that a person typed. */
  setSetting(name: string, text: string, call?: Call): Promise<SettingList>;
  /** Which tags there are, or those of one session, and how many sessions have each. */
  tags(request?: { readonly session?: string }, call?: Call): Promise<readonly TagCount[]>;
  /** Gives sessions tags and takes them away. Only our own records change. */
  tag(request: TagRequest, call?: Call): Promise<readonly TaggedSession[]>;
  /** Which changes can be made to the sessions of each source. */
  abilities(call?: Call): Promise<readonly SourceAbilities[]>;
  /** Changes sessions: plans, writes, undoes. */
  edit(): Promise<EditApp>;
  /** Reports on one's own work. */
  chronicle(): Promise<ChronicleApp>;
  /** What is worth knowing about repositories, in short texts. */
  board(): Promise<BoardApp>;
  /** Writes that wait in the background until a program has ended. */
  jobs(): Promise<JobsApp>;
  /** Sends sessions to a hub, and brings them back. */
  sync(): Promise<SyncApp>;
  /** Secrets in local sessions; `edit` takes them out. */
  secrets(): Promise<SecretsApp>;
  /** Takes a whole home elsewhere. */
  migrating(): Promise<MigrateApp>;
  /** How a session's own program is started on it. */
  launch(name: string, call?: Call): Promise<Launch>;
  /**
   * Conversations with the agents' programs. New ones are with `agent` (a source), else with the first program that is
   * installed. `program` is the path of that agent's program, where it is not the one on the path; without `agent`,
   * of Copilot CLI's.
   */
  chat(request?: { readonly agent?: string; readonly program?: string }): Promise<ChatApp>;
}
