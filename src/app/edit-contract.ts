/** What surfaces may ask when sessions are to change: a plan first, which is then carried out. */
import type { Pruned } from "../edit/backups/prune.ts";
import type { EditPlan } from "../model/plan.ts";
import type { SourceId } from "../model/session.ts";
import type { Progress } from "../query/heads.ts";
import type { Audit } from "../store/state/audit.ts";
import type { CloneOf } from "./edit/clone.ts";
import type { CheckpointOf, CompactOf } from "./edit/compact.ts";
import type { ImportOf } from "./edit/import.ts";
import type { MoveOf } from "./edit/move.ts";
import type { OwnRows } from "./edit/vendor-rows.ts";
import type { BackupReport, PastWrite } from "./edit/write-history.ts";

export interface Write {
  readonly operation: string;
  readonly plan: EditPlan;
  /** What became of the rows that agents' own databases have of the sessions. */
  readonly ownRows: readonly OwnRows[];
  /** What could not be done after it, a sentence each; the write is done all the same. */
  readonly notices: readonly string[];
}

export interface ForkOf {
  readonly name?: string;
  readonly at?: string;
}

export interface EditApp {
  planClone(name: string, request: CloneOf, progress?: Progress): Promise<EditPlan>;
  planFork(name: string, request: ForkOf, progress?: Progress): Promise<EditPlan>;
  /** Back to the turn that is the last to stay, with the workspace's files if wished; no steps where it is the last one already. */
  planRewind(
    name: string,
    to: number,
    wish?: { readonly files?: boolean; readonly outside?: boolean; readonly inPlace?: boolean },
    progress?: Progress,
  ): Promise<EditPlan>;
  /** Older turns replaced by a summary; no steps where there are none. */
  planCompact(name: string, request: CompactOf, progress?: Progress): Promise<EditPlan>;
  /** A summary of all so far beside the session. */
  planCheckpoint(name: string, request: CheckpointOf, progress?: Progress): Promise<EditPlan>;
  planRename(name: string, to: string, progress?: Progress): Promise<EditPlan>;
  /** Without steps where it is already. */
  planMove(request: MoveOf, progress?: Progress): Promise<EditPlan>;
  planDelete(name: string, progress?: Progress): Promise<EditPlan>;
  /** Without steps when nothing is wrong. */
  planRescue(name: string, progress?: Progress): Promise<EditPlan>;
  /** All that is wrong with the sessions of a source and can be put right, as one write. */
  planRescueAll(source: SourceId, progress?: Progress): Promise<EditPlan>;
  /** Of what a bundle or a transcript holds; without steps where all of it is here already. */
  planImport(file: string, request: ImportOf, progress?: Progress): Promise<EditPlan>;
  /** Lets go of what plans of imports are made from. */
  close(): void;
  /** Of the last write, when none is named. */
  planUndo(operation?: string): Promise<EditPlan>;
  /** What the backup of a write holds, as new sessions; of the last write that was not undone, when none is named. */
  planBackupCopy(operation?: string, request?: { readonly to?: string }): Promise<EditPlan>;
  /** What a plan will mean for the rows that agents' own databases have of its sessions. */
  foresee(plan: EditPlan): Promise<readonly OwnRows[]>;
  /** The same plan, which is carried out although processes seem to have open what it changes; they are named in it. */
  ignoreLocks(plan: EditPlan): Promise<EditPlan>;
  apply(plan: EditPlan): Promise<Write>;
  /** Latest first. */
  history(): Promise<PastWrite[]>;
  backups(): Promise<BackupReport>;
  /** The user says that a write is good, or `all` are; gives back those of which that was not known. */
  confirm(name: string): Promise<string[]>;
  /** Lets backups go that are no longer needed. */
  prune(): Promise<Pruned>;
  /** Reads all backups and archived copies, and repairs bad ones where the same bytes are still on disk. */
  verify(request: { readonly repair: boolean }, progress?: Progress): Promise<Audit>;
}
