/** The facts of a plan besides its steps: moves, repairs, workspace files, and how much smaller a session gets. */
import type { Remedy } from "./remedy.ts";
import type { SessionKey } from "./values/id.ts";
import type { Relocation } from "./values/relocate.ts";

/** A summary of turns, as people can read it. */
export interface NewCheckpoint {
  readonly number: number;
  readonly title: string;
  readonly path: string;
  readonly summary: string;
}

/** What was rewritten when a folder moved. */
export interface Move extends Relocation {
  /** The new folder is on this machine. */
  readonly isHere: boolean;
  /** Paths in calls, which the model receives with the conversation. */
  readonly toolCalls: number;
  readonly attachments: number;
  /** States of files that the program recorded, to rewind to. */
  readonly fileStates: number;
  /** Paths anywhere else. */
  readonly others: number;
  /** How often text names the old folder. */
  readonly mentions: number;
  /** Whether these were rewritten, too. */
  readonly withText: boolean;
  /** Where several sessions move as one. */
  readonly sessions?: readonly (SessionKey & { readonly title: string })[];
  /** Where folders have other places below another one: each of them. */
  readonly folders?: readonly MovedFolder[];
}

/** A folder of sessions, and where it is now. */
export interface MovedFolder extends Pick<Relocation, "from" | "to"> {
  readonly sessionCount: number;
  /** The new folder is on this machine. */
  readonly isHere: boolean;
}

export const SKIP_REASONS = ["user-modified", "skipped-capture", "link-changed"] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** What became of the addresses of files below the old folder in a copy for another folder. */
export interface CopiedPaths extends Pick<Relocation, "from" | "to"> {
  readonly rewritten: number;
  /** They lead to the old folder still. */
  readonly kept: number;
  /** Which of them were meant: those that are there, all, or none. */
  readonly rule: PathRule;
}

export type PathRule = "existing" | "keep" | "rewrite";

/** What turns had done to a file, and what becomes of it when they go. */
export interface WorkspaceFile {
  readonly path: string;
  /** The file that is changed, where links lead from the path to another one. */
  readonly place?: string;
  /** It does not lie in the folder that the session is about. */
  readonly isOutside?: boolean;
  readonly change: "created" | "modified" | "deleted";
  readonly becomes: "restored" | "removed" | "unchanged";
  /** Why it was to go back and does not, in Copilot CLI's own words for it where it has any. */
  readonly skipped?: SkipReason;
  /** By those turns. */
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

/** One damage, with its place where it has one. */
export interface Repair {
  readonly path: string;
  readonly line?: number;
  /** The bytes that it concerns. */
  readonly start?: number;
  readonly end?: number;
  /** What was wrong, and what became of it. */
  readonly what: string;
  /** These bytes could not be kept. */
  readonly isLost?: boolean;
  /** Of which session, and in which workspace, where several are repaired as one. */
  readonly title?: string;
  readonly workspace?: string;
}

/** Sessions of a folder that is elsewhere now, or was created again, and follow it; or why they stay. */
export interface Adoption {
  /** The folder that they are about. */
  readonly from: string;
  /** Where it is now; the same path where it was created again. Missing where they stay. */
  readonly to?: string;
  readonly sessions: number;
  /** What speaks for it, or why they stay. */
  readonly why: string;
  /** What the user can do about those that stay. */
  readonly remedy?: Remedy;
}

export interface EditStats {
  readonly originalTurns: number;
  readonly clonedTurns: number;
  readonly removedTurns: number;
  readonly originalTokens: number;
  readonly clonedTokens: number;
  readonly removedTokens: number;
  /** The share removed, in whole percent. */
  readonly compressionRatio: number;
}

export interface Measure {
  readonly turns: number;
  readonly tokens: number;
}

export function toStats(original: Measure, cloned: Measure): EditStats {
  return {
    originalTurns: original.turns,
    clonedTurns: cloned.turns,
    removedTurns: original.turns - cloned.turns,
    originalTokens: original.tokens,
    clonedTokens: cloned.tokens,
    removedTokens: original.tokens - cloned.tokens,
    compressionRatio: original.tokens === 0 ? 0 : Math.round((1 - cloned.tokens / original.tokens) * 100),
  };
}

/** Of several changes that are made as one. */
export function sumStats(stats: readonly EditStats[]): EditStats {
  const sum = (of: keyof EditStats): number => stats.reduce((all, each) => all + each[of], 0);
  return toStats(
    { turns: sum("originalTurns"), tokens: sum("originalTokens") },
    { turns: sum("clonedTurns"), tokens: sum("clonedTokens") },
  );
}

/** Lines that an instruction file of a repository gets. */
export interface InstructionLines {
  readonly path: string;
  readonly repository: string | undefined;
  readonly isNew: boolean;
  readonly lines: readonly string[];
  /** As a unified diff, to be read before it is written. */
  readonly diff: string;
}
