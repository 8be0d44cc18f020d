/** What addresses take and answer beside the operations themselves. */
import type { Answer, ChatEvent, ExamineEvent, Input } from "./operation-types.ts";

export type { Answer, ChatEvent, ExamineEvent, Input };

/** A page of a list, with the cursor of the next one; null on the last. */
export type Page<N extends "list" | "search"> = Omit<Answer<N>, "next"> & {
  readonly nextCursor: string | null;
};

/** The changes that can be planned. */
export type PlannedName =
  | "clone"
  | "fork"
  | "rewind"
  | "compact"
  | "checkpoint-create"
  | "move"
  | "rename"
  | "delete"
  | "rescue"
  | "rescue-all"
  | "secrets-scrub"
  | "import"
  | "handoff"
  | "improve"
  | "undo"
  | "backup-copy"
  | "plan-together"
  | "migrate";

export interface Health {
  readonly schemaVersion: 1;
  readonly status: "ok";
  readonly version: string;
  readonly instance: string;
  readonly isReadOnly: boolean;
  /** Of a hub, which says nothing of the two before. */
  readonly mode?: "hub";
}

/** What addresses call otherwise than operations do. */
type Renamed<I> = Omit<I, "sources" | "repository" | "text" | "tags"> & {
  /** One or several, or several with commas between them. */
  readonly source?: string | readonly string[];
  readonly repo?: string;
  /** One or several, likewise; sessions have all of them. */
  readonly tag?: string | readonly string[];
};
export type ListQuery = Renamed<Input<"list">> & { readonly q?: string };
export type SearchQuery = Renamed<Input<"search">> & { readonly q: string };
export type StatsQuery = Renamed<Input<"stats">>;
export type SecretsQuery = Renamed<Input<"secrets-scan">>;
export type ReportQuery = Renamed<Input<"chronicle-tips">>;
export type ImproveQuery = Renamed<Input<"chronicle-improve">>;
export type StandupQuery = Renamed<Input<"chronicle-standup">>;

export type BoardQuery = Omit<Input<"board-list">, "repository"> & { readonly repo?: string };

export type ExportFormat = "html" | "md" | "json" | "jsonl" | "vscode" | "copilot" | "bundle";

export interface ExportQuery {
  readonly format: ExportFormat;
  /** Takes out secrets, and writes home folders as ~. */
  readonly redact?: boolean;
  /** Whole tool calls and results in Markdown, and records of any size. */
  readonly full?: boolean;
  /** Of `vscode` and `copilot`: a smaller copy of at most so many tokens. */
  readonly budget?: number;
  readonly dropThinking?: boolean;
  /** Leaves out all tool calls and their results. */
  readonly dropTools?: boolean;
  /** Leaves out so many percent of the oldest tool calls. */
  readonly dropOldestTools?: number;
  /** Cuts tool calls and results that have more characters. */
  readonly truncateTools?: number;
  /** Leaves out so many percent of the oldest turns. */
  readonly dropOldest?: number;
  /** Leaves out so many of the oldest turns. */
  readonly dropOldestTurns?: number;
  readonly summarize?: boolean;
}

export interface CloneRequest {
  readonly sessionId: string;
  readonly workspaceHash: string;
  readonly options?: {
    readonly removeToolCalls?: boolean;
    readonly compressPercent?: number;
    readonly writeToDisk?: boolean;
    readonly targetWorkspaceHash?: string;
  };
}

export interface Cloned {
  readonly success: true;
  readonly session: { readonly sessionId: string; readonly customTitle?: string };
  readonly stats: {
    readonly originalTurns: number;
    readonly clonedTurns: number;
    readonly removedTurns: number;
    readonly originalTokens: number;
    readonly clonedTokens: number;
    readonly removedTokens: number;
    readonly compressionRatio: number;
  };
  readonly sessionPath?: string;
  readonly backupPath?: string;
  readonly writtenToDisk: boolean;
}

export interface CopilotWorkspaces {
  readonly workspaces: readonly { readonly folder: string; readonly path: string }[];
}
