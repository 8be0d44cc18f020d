/** The types of calls that change sessions: a plan first, which is then applied. */
import type { Blocker } from "../edit/apply/check.ts";
import type { Pruned } from "../edit/backups/prune.ts";
import type { EditPlan } from "../model/plan.ts";
import type { SourceId } from "../model/session/session.ts";
import type { Audit } from "../store/state/audit.ts";
import type { Call } from "./call.ts";
import type { ImproveOf } from "./chronicle/improve.ts";
import type { CloneOf } from "./edit/clone.ts";
import type { CheckpointOf, CompactOf } from "./edit/compact.ts";
import type { HandoffOf } from "./edit/handoff.ts";
import type { ImportOf } from "./edit/import.ts";
import type { KeptPlan } from "./edit/kept-plans.ts";
import type { ServerOf } from "./edit/mcp-server.ts";
import type { MoveOf } from "./edit/move.ts";
import type { RestoreOf } from "./edit/restore.ts";
import type { VendorRows } from "./edit/vendor-rows.ts";
import type { BackupReport, PastWrite } from "./edit/write-history.ts";

export interface Write {
  readonly operation: string;
  readonly plan: EditPlan;
  /** What became of the rows that agents' own databases have of the sessions. */
  readonly ownRows: readonly VendorRows[];
  /** What could not be done after it, a sentence each; the write is done all the same. */
  readonly notices: readonly string[];
  /** Where what it replaced is kept. */
  readonly backupPath?: string;
}

export interface ForkOf {
  readonly name?: string;
  /** The last turn to keep, counted from 0, or the id of the event to stop before; all of it without one. */
  readonly at?: number | string;
}

export interface RewindOf {
  /** The last turn to stay, counted from 0, or the id of the first event to go. */
  readonly to: number | string;
  /** Takes the workspace's files back, too. */
  readonly files?: boolean;
  /** Also those outside the folder that the session is about. */
  readonly outside?: boolean;
  /** Refuses where a file was changed since, instead of leaving it as it is. */
  readonly strict?: boolean;
  readonly inPlace?: boolean;
}

export interface RescueAllOf {
  /** Sessions whose folder was created again, or certainly renamed, follow it; so unless this is false. */
  readonly adopt?: boolean;
}

/** Every `plan…` makes a plan and keeps it for a while; `apply` carries out the one that a fingerprint names, once. */
export interface EditApp {
  planClone(name: string, request: CloneOf, call?: Call): Promise<KeptPlan>;
  planFork(name: string, request: ForkOf, call?: Call): Promise<KeptPlan>;
  /** Without steps where it is the last turn already. */
  planRewind(name: string, request: RewindOf, call?: Call): Promise<KeptPlan>;
  /** Older turns replaced by a summary; no steps where there are none. */
  planCompact(name: string, request: CompactOf, call?: Call): Promise<KeptPlan>;
  /** A summary of all so far beside the session. */
  planCheckpoint(name: string, request: CheckpointOf, call?: Call): Promise<KeptPlan>;
  planRename(name: string, to: string, call?: Call): Promise<KeptPlan>;
  /** Without steps where it is already. */
  planMove(request: MoveOf, call?: Call): Promise<KeptPlan>;
  /** One session by its name, or several as one write. */
  planDelete(names: string | readonly string[], call?: Call): Promise<KeptPlan>;
  /** Secrets give way to marks; without steps where none are found. */
  planScrub(names: readonly string[], call?: Call): Promise<KeptPlan>;
  /** Without steps when nothing is wrong. */
  planRescue(name: string, call?: Call): Promise<KeptPlan>;
  /** All that is wrong with the sessions of a source and can be put right, as one write. */
  planRescueAll(source: SourceId, request?: RescueAllOf, call?: Call): Promise<KeptPlan>;
  /** Of what a bundle or a transcript holds; without steps where all of it is here already. */
  planImport(file: string, request: ImportOf, call?: Call): Promise<KeptPlan>;
  /** A session of one program as a new session of another. */
  planHandoff(name: string, request: HandoffOf, call?: Call): Promise<KeptPlan>;
  /** A conversation that rethread remembers, as a new session of the program that it was held with. */
  planRestore(request: RestoreOf, call?: Call): Promise<KeptPlan>;
  /** Of lines for the instruction files of repositories; without steps where there are none to add. */
  planImprove(request: ImproveOf, call?: Call): Promise<KeptPlan>;
  /** Adds this program to the MCP servers of an agent, or takes it away; without steps where that is so already. */
  planServer(request: ServerOf, call?: Call): Promise<KeptPlan>;
  /** Of the last write, when none is named. */
  planUndo(operation?: string, call?: Call): Promise<KeptPlan>;
  /** What the backup of a write holds, as new sessions; of the last write that was not undone, when none is named. */
  planBackupCopy(operation?: string, request?: { readonly to?: string }, call?: Call): Promise<KeptPlan>;
  /** Plans that were made, as one write with one undo. The others stay, for those who need them one by one. */
  planTogether(fingerprints: readonly string[], call?: Call): Promise<KeptPlan>;
  /** The same plan, which is carried out although processes seem to have open what it changes; they are named in it. */
  ignoreLocks(fingerprint: string, call?: Call): Promise<KeptPlan>;
  /** The running programs that would write over a change of these files. */
  blockers(paths: readonly string[], call?: Call): Promise<Blocker[]>;
  /** What a plan will mean for the rows that agents' own databases have of its sessions. */
  previewVendorRows(fingerprint: string, call?: Call): Promise<readonly VendorRows[]>;
  apply(fingerprint: string, call?: Call): Promise<Write>;
  /** Lets go of all plans that were not carried out, and of what they are made from. */
  close(): void;
  /** Latest first. */
  history(call?: Call): Promise<PastWrite[]>;
  backups(call?: Call): Promise<BackupReport>;
  /** The user says that a write is good, or `all` are; gives back those of which that was not known. */
  confirm(name: string, call?: Call): Promise<string[]>;
  /** Lets backups go that are no longer needed. */
  prune(call?: Call): Promise<Pruned>;
  /** Reads all backups and archived copies, and repairs bad ones where the same bytes are still on disk. */
  verify(request: { readonly repair: boolean }, call?: Call): Promise<Audit>;
}
