/** The library: read the sessions of coding agents from your own program. */

export { createApp } from "./app/app.ts";
export { type Config, type DemoMode, readConfig, type Surroundings, toConfig } from "./app/config.ts";
export type { App, ListRequest } from "./app/contract.ts";
export type { ContextMessage, ContextToolCall } from "./model/context.ts";
export { AppError, ERROR_CODES, type ErrorCode } from "./model/errors.ts";
export { formatKey, type SessionKey } from "./model/id.ts";
export { PROBLEM_CODES, type Problem, type ProblemCode, type Severity, severityOf } from "./model/problem.ts";
export { createRedactor, type Redaction, type Redactor } from "./model/redact.ts";
export type { Artifact, Event, Origin, Session, SourceId } from "./model/session.ts";
export {
  createTurnBuilder,
  type Part,
  type ToolPart,
  type Turn,
  type TurnBuilder,
  toTurns,
} from "./model/turns.ts";
export { localFs } from "./platform/local-fs.ts";
export { createMemoryFs, type MemoryFs } from "./platform/memory-fs.ts";
export type { SessionFs } from "./platform/session-fs.ts";
export type { ContextReport, CountedMessage, TokenShare } from "./query/context.ts";
export type { DiffSide, SessionDiff } from "./query/diff.ts";
export type { Diagnosis, Finding } from "./query/doctor.ts";
export type { SessionList } from "./query/list.ts";
export type { Overview } from "./query/overview.ts";
export type { ShowOptions, ShowVisitor } from "./query/show.ts";
export type { DividedStats, Stats, StatsBy } from "./query/stats.ts";
export type { Relative, Tree } from "./query/tree.ts";
export { type Catalog, collect, openCatalog, type ReadResult, type Scan } from "./sources/catalog.ts";
export { SOURCES } from "./sources/registry.ts";
export {
  defineSource,
  type Environment,
  type ReadOptions,
  type ReadSink,
  type Source,
} from "./sources/source.ts";
