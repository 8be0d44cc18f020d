/**
 * The rows of one session that the indexer passes to the store: turns first, the session itself last. In types with
 * very many rows, optional fields may be undefined, because spreading them in would cost more than writing the row.
 */

import type { Problem } from "../model/problem.ts";
import type { Ref } from "../model/session/refs.ts";
import type { Fingerprint, Listing, Session, SidecarMark } from "../model/session/session.ts";
import type { TurnRange } from "../model/session/turn-range.ts";
import type { Counted } from "../model/session/usage.ts";

export interface TurnRow {
  readonly index: number;
  readonly user: string;
  /** The last answer of the turn, as Copilot CLI's store has it. */
  readonly response?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Earlier answers, commands, heads of tool output: searchable, not shown as the answer. */
  readonly more: string;
  /** Where it stands in the log, for sources that can read just that. */
  readonly range?: TurnRange;
  /** Of its texts; see `model/session/turn-size.ts`. */
  readonly textBytes?: number;
  /** Files that it created, edited or deleted. */
  readonly filesChanged?: number;
  /** Older turns were replaced by a summary in it. */
  readonly hasCheckpoint?: boolean;
  /** Something stands before it; of the first turn. */
  readonly hasPreamble?: boolean;
  /** The same in every copy of the turn; see `model/session/work-key.ts`. */
  readonly work?: number;
  /** The words inside of its identifiers, where they were found already. */
  readonly parts?: string;
}

export interface ToolCallRow {
  readonly turn: number | undefined;
  readonly name: string;
  readonly status: "ok" | "failed" | "interrupted" | "pending";
  readonly label?: string | undefined;
  readonly resultSize?: number | undefined;
  readonly subAgent: boolean;
}

export type FileAction = "created" | "edited" | "deleted" | "read";

/**
 * `tool`: by the rules of Copilot CLI's own index, so that its rows and ours compare. `call`: by a call those rules pass
 * over. `record`: not by a call, but by the vendor's own record of what was changed.
 */
export type FileEvidence = "tool" | "call" | "record";

export interface FileRow {
  readonly path: string;
  readonly tool: string;
  readonly action: FileAction;
  readonly evidence: FileEvidence;
  readonly turn: number | undefined;
  readonly at?: string | undefined;
  /** Of one recorded edit; `"unknown"` where the record does not say. They are added up. */
  readonly lines?: { readonly added: number; readonly removed: number } | "unknown" | undefined;
}

export interface RefRow extends Ref {
  readonly turn: number | undefined;
  readonly at?: string | undefined;
}

export interface CheckpointRow {
  readonly number: number;
  readonly title: string;
  readonly sections: Readonly<Partial<Record<CheckpointSection, string>>>;
  readonly at?: string;
}

export const CHECKPOINT_SECTIONS = [
  "overview",
  "history",
  "work_done",
  "technical_details",
  "important_files",
  "next_steps",
] as const;
export type CheckpointSection = (typeof CHECKPOINT_SECTIONS)[number];
/** What Copilot CLI's store calls the search rows of each section. */
export const SECTION_TYPES = {
  overview: "checkpoint_overview",
  history: "checkpoint_history",
  work_done: "checkpoint_work_done",
  technical_details: "checkpoint_technical",
  important_files: "checkpoint_files",
  next_steps: "checkpoint_next_steps",
} as const satisfies Record<CheckpointSection, string>;

export interface UsageRow extends Counted {
  readonly turn: number | undefined;
  readonly model: string;
  /** The call that started the sub-agent. */
  readonly agent?: string | undefined;
  readonly at?: string | undefined;
}

/** Receives the rows of one session in the order they become known. */
export interface RowSink {
  turn(row: TurnRow): void;
  toolCall(row: ToolCallRow): void;
  file(row: FileRow): void;
  ref(row: RefRow): void;
  checkpoint(row: CheckpointRow): void;
  usage(row: UsageRow): void;
}

/** A file beside a log, by its name in the session's folder. */
export interface SidecarFile {
  readonly name: string;
  readonly path: string;
}

/** Receives the files beside one session's log, after the rows of the log itself. */
export interface SidecarSink {
  text(file: SidecarFile, text: string): void;
  /** Counts more than what the log says of the same checkpoint. */
  checkpoint(file: SidecarFile, row: CheckpointRow): void;
  /** Does nothing for a file without rows. */
  remove(file: SidecarFile): void;
}

/** How far an artifact was read, so that the next refresh can continue from there or skip it. */
export interface ReadMark {
  readonly fingerprint: Fingerprint;
  readonly listed?: Listing;
  readonly sidecars?: SidecarMark;
  readonly stop?: Stop;
}

/** Where reading stopped and can continue. */
export interface Stop {
  readonly readTo: number;
  readonly lines: number;
  readonly guard: string;
  /** The state for continuing, as plain JSON. */
  readonly state: unknown;
}

export interface SessionHead {
  readonly session: Session;
  readonly problems: readonly Problem[];
  /** Those that the next reading will find again. */
  readonly passing?: readonly Problem[];
  readonly mark: ReadMark;
  /** When its file was made, where that is known. */
  readonly bornMs?: number;
}
