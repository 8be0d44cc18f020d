/** The library: everything that docs/library.md speaks of, and nothing else. */

export type { ImproveOf } from "./app/chronicle/improve.ts";
// What the command can do, for programs.
export type {
  AttributedEdit,
  Audit,
  BackupReport,
  BadBlock,
  Blame,
  BlamedLine,
  BlameReport,
  BlameRequest,
  BridgeEvent,
  Call,
  CallFreshness,
  CallProgress,
  ChatAgent,
  ChatApp,
  ChatFiles,
  ChatHead,
  ChatKeeping,
  ChatList,
  ChatMessage,
  ChatRecord,
  ContextReport,
  CountedMessage,
  Diagnosis,
  DiffSide,
  DiffStep,
  DividedStats,
  EditApp,
  EditedFile,
  EditedFiles,
  EditWrite,
  FilesRequest,
  Finding,
  FindPlace,
  FindRequest,
  Finished,
  FoundText,
  Hit,
  IndexedHome,
  IndexProgress,
  IndexReport,
  IndexState,
  KeptPlan,
  ListRequest,
  Need,
  Notice,
  PastWrite,
  Pruned,
  QueryResult,
  Reason,
  RecordRequest,
  RecordText,
  Relative,
  SearchPlace,
  SearchReport,
  SearchWords,
  SendOptions,
  SessionDiff,
  SessionEdit,
  SessionList,
  SessionOutline,
  ShowVisitor,
  SourceAbilities,
  SqlAnswer,
  Stats,
  StatsSum,
  StoreSchema,
  TagCount,
  TaggedSession,
  TagRequest,
  TextMatch,
  Ticket,
  TokenShare,
  TurnPage,
  TurnsRequest,
  Unreadable,
  VendorRows,
  WatchReport,
  Why,
  WorkPlace,
  WorkspaceHealth,
} from "./app/contract.ts";
export type { CloneOf } from "./app/edit/clone.ts";
export type { CheckpointOf, CompactOf, SummaryOf } from "./app/edit/compact.ts";
export type { HandoffOf } from "./app/edit/handoff.ts";
export type { ImportOf } from "./app/edit/import.ts";
export type { ServerOf } from "./app/edit/mcp-server.ts";
export type { FolderMap, MoveOf } from "./app/edit/move.ts";
export type { RestoreOf } from "./app/edit/restore.ts";
export type { Backup } from "./app/edit/write-history.ts";
export type { ForkOf, RescueAllOf, RewindOf } from "./app/edit-contract.ts";
export type { Reference } from "./app/filters.ts";
export { openRethread, type Rethread, type RethreadOptions } from "./app/library.ts";
export type { ProvidedSessions } from "./app/provided.ts";
export type { IndexRequest, SqlRequest, WatchRequest } from "./app/store/store.ts";
export type { InstructionFile } from "./chronicle/improve/instruction-files.ts";
export type { Blocker } from "./edit/apply/check.ts";
export type { Retention } from "./edit/backups/retention.ts";
// Sessions that an application keeps on a hub.
export { type HubSessions, type HubSessionsOptions, openHubSessions } from "./hub/provider/contract.ts";
export {
  type CopilotFileInfo,
  type CopilotSessionFsConfig,
  type CopilotSessionFsProvider,
  type CopilotSqlite,
  type CopilotSqlResult,
  copilotSessionFs,
} from "./hub/provider/copilot-provider.ts";
export type { RpcHandler } from "./hub/provider/copilot-rpc.ts";
export type { ChangedSessions } from "./indexer/changed-sessions.ts";
export type { RefreshResult } from "./indexer/refresh.ts";
export type { IndexWatch } from "./indexer/watch.ts";
export type { Commit } from "./model/blame/porcelain.ts";
// The nouns.
export { CHANGES, type Change } from "./model/change.ts";
export type { ChatEvent, ChatUsage } from "./model/chat.ts";
export { type Ambiguity, AppError, ERROR_CODES, type ErrorCode, type SessionMatch } from "./model/errors.ts";
export type { Fidelity, FidelityCounts, FidelityKind } from "./model/handoff/fidelity.ts";
export type {
  Basis,
  Became,
  Cell,
  Draft,
  EditPlan,
  Entry,
  IgnoredProcess,
  Intention,
  OperationKind,
  Piece,
  Planned,
  PlannedSession,
  ServerEntry,
  SessionOutcome,
  Step,
} from "./model/plan.ts";
export type {
  Adoption,
  CopiedPaths,
  EditStats,
  InstructionLines,
  Move,
  MovedFolder,
  NewCheckpoint,
  PathRule,
  Repair,
  SkipReason,
  WorkspaceFile,
} from "./model/plan-facts.ts";
export type { Cost } from "./model/prices.ts";
export {
  fixOf,
  PROBLEM_CODES,
  type Problem,
  type ProblemCode,
  type Severity,
  severityOf,
} from "./model/problem.ts";
export { createRedactor, type Redaction, type Redactor } from "./model/redact/redact.ts";
export type { Ledger, LedgerEntry, Reduction, TurnShare } from "./model/reduce/reduction.ts";
export { type Action, type Advice, type Remedy, remedyOf, toCommand } from "./model/remedy.ts";
export type { ChangedFile } from "./model/session/changed-files.ts";
export type { Comparison, Sides } from "./model/session/compare.ts";
export type { ContextMessage, ContextToolCall } from "./model/session/context.ts";
export type { Facet, FacetValue, SessionFacets } from "./model/session/facets.ts";
export type {
  DeleteEdit,
  FileEdit,
  FragmentEdit,
  Hunk,
  MoveEdit,
  PatchEdit,
  ReplaceEdit,
  Replacement,
  Splice,
  SpliceEdit,
  WriteEdit,
} from "./model/session/file-edit.ts";
export type { ImageRef } from "./model/session/image-ref.ts";
export type { LineageKind } from "./model/session/lineage.ts";
export type { Outline, TurnOutline } from "./model/session/outline.ts";
export type { ResultFacts } from "./model/session/result-facts.ts";
export type { Role } from "./model/session/role.ts";
export type { SearchOrder } from "./model/session/search-order.ts";
export type {
  Approval,
  Artifact,
  Attachment,
  ClearEvent,
  CompactionEvent,
  EditEvent,
  Event,
  Fingerprint,
  HandedFrom,
  Listing,
  NoteEvent,
  NoteItem,
  NoticeEvent,
  Origin,
  Parent,
  PromptEvent,
  Session,
  Sidecar,
  SidecarMark,
  SourceId,
  TextEvent,
  ThinkingEvent,
  ToolAct,
  ToolCallEvent,
  ToolProvider,
  ToolResultEvent,
  UsageEvent,
} from "./model/session/session.ts";
export type { SessionOrder } from "./model/session/session-order.ts";
export type { Aspect, TurnDigest } from "./model/session/turn-digest.ts";
export {
  createTurnBuilder,
  type NotePart,
  type Part,
  type ToolPart,
  type Turn,
  type TurnBuilder,
  toTurns,
} from "./model/session/turns.ts";
export type { Counted, Usage } from "./model/session/usage.ts";
export { MARK } from "./model/text/marks.ts";
export { formatKey, type SessionKey } from "./model/values/id.ts";
export type { Relocation } from "./model/values/relocate.ts";
export type { Clock } from "./model/values/time.ts";
// Everything above by name, checked and in JSON, for servers and tools.
export { type OpenCall, type OpenOperation, openOperations } from "./operations/outside.ts";
// Files that may be anywhere.
export { localFs } from "./platform/fs/local.ts";
export { createMemoryFs, type MemoryFs } from "./platform/fs/memory.ts";
export type {
  ByteRange,
  FileStat,
  FolderEntry,
  FsLinks,
  FsTransactions,
  SessionFs,
  StatAnswer,
} from "./platform/fs/session-fs.ts";
export type { ProcessMark } from "./platform/process/program.ts";
export type { SqlResult, SqlStatement } from "./platform/sqlite/held-database.ts";
export type { ShareKind } from "./query/context-parts.ts";
export type { Progress } from "./query/heads.ts";
export type { Naming, ReadTitles, RecallSession, Titled } from "./query/resolve.ts";
export type { FoundSession } from "./query/search.ts";
export type { ShowOptions } from "./query/show.ts";
export type { PricedModel, StatsBy, StatsRow } from "./query/stats.ts";
export type { Tree } from "./query/tree.ts";
export type { FoundTurns } from "./query/turn-range.ts";
export type { BriefCall, BriefResult, BriefSink, Place } from "./sources/brief.ts";
// Sources, and one's own.
export { collect, type ReadResult, type Scan, type SourceRoots } from "./sources/catalog.ts";
// Copilot-style logs of one's own.
export {
  type EventWriter,
  type EventWriterOptions,
  UnwrittenEvents,
  type WriteFailure,
} from "./sources/copilot-cli/event-writer/contract.ts";
export type { CopilotEvent, NewEvent } from "./sources/copilot-cli/event-writer/event.ts";
export {
  type EventsRead,
  type LineProblem,
  readEvents,
} from "./sources/copilot-cli/event-writer/read-events.ts";
export type { LastCompaction, SessionSettings } from "./sources/copilot-cli/event-writer/settings.ts";
export { type EventProblem, replay, type SessionState } from "./sources/copilot-cli/event-writer/state.ts";
export { createEventWriter } from "./sources/copilot-cli/event-writer/writer.ts";
export {
  defineSource,
  openCatalog,
  type SessionCatalog,
  type SessionSource,
  SOURCES,
} from "./sources/outside.ts";
export type {
  Bookmark,
  ContextOptions,
  Environment,
  ReadOptions,
  ReadSink,
  ScanSink,
} from "./sources/source.ts";
export type { Count, Counts } from "./store/copilot/copilot-store.ts";
export type { StoreCounts } from "./store/index-state.ts";
export type { KnownArtifact } from "./store/known-artifacts.ts";
export type { StoreColumn, StoreTable, StoreView } from "./store/schema.ts";
export type { AlsoIn } from "./store/search/copies.ts";
export type { HitSession } from "./store/search/rows.ts";
export type { SearchAnswer } from "./store/search/search.ts";
export type { Respelling } from "./store/search/widen.ts";
export type { Value } from "./store/sql/query.ts";
export type { RowPlace } from "./store/sql/row-places.ts";
export type { FileShare, Measures, ModelShare, Share, ToolShare } from "./store/stats/stats.ts";
