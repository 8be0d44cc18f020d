/** The interface of an editor: turns a request into steps on the source's own files. Nothing is written here. */
import type { AppError } from "../model/errors.ts";
import type { Draft, PlaceStep, Planned, PlannedSession, Step } from "../model/plan.ts";
import type { Adoption, Repair } from "../model/plan-facts.ts";
import type { Ledger } from "../model/reduce/reduction.ts";
import type { ContextMessage } from "../model/session/context.ts";
import type { Artifact } from "../model/session/session.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import type { ProcessLook } from "../platform/process/process-look.ts";
import type {
  CheckpointRequest,
  CloneRequest,
  CompactRequest,
  ForkRequest,
  IncomingFile,
  MoveRequest,
  OwnWriter,
  RescueAllRequest,
  RewindRequest,
  ScrubRequest,
  TakeRequest,
} from "./requests.ts";

/** A database in which a vendor's program keeps much else, and which it has in memory while it runs. */
export interface SharedDatabase {
  /** A process that would write over, or never see, what is changed at this path. */
  findUser(fs: SessionFs, path: string, look?: ProcessLook): Promise<number | undefined>;
  /** For people; the process is not always known. */
  inUse(pid?: number): AppError;
  /** Why the program would throw this value away. */
  whyRejected(path: string, key: string, value: string): AppError | undefined;
}

/** The changes that every editor makes, and a group for each other kind of change that it can make. */
export interface Editor {
  /** A folder on the disk of a root that the vendor's program does not look into. */
  stagingDir(root: string): string;
  clone(fs: SessionFs, artifact: Artifact, request: CloneRequest): Promise<Draft>;
  fork(fs: SessionFs, artifact: Artifact, request: ForkRequest): Promise<Draft>;
  /** A session that ends with that turn already takes no steps. */
  rewind(fs: SessionFs, artifact: Artifact, request: RewindRequest): Promise<Draft>;
  rename(fs: SessionFs, artifact: Artifact, request: { name: string; now: Date }): Promise<Draft>;
  remove(fs: SessionFs, artifact: Artifact, request: { now: Date }): Promise<Draft>;
  /** Reads a session once, to tell for any number of budgets what a clone would keep. */
  preview?(fs: SessionFs, artifact: Artifact, count: (text: string) => number): Promise<BudgetPreview>;
  readonly summaries?: SummaryEditor;
  readonly moves?: MoveEditor;
  readonly imports?: ImportEditor;
  readonly repairs?: RepairEditor;
  readonly scrubs?: ScrubEditor;
  readonly workspaces?: WorkspaceNames;
  readonly steps?: StepRules;
  /** Where its program lists sessions in a database of its own. */
  readonly database?: SharedDatabase;
}

/** What clones with a budget would keep of a session as it was when it was read. Nothing is read or written any more. */
export interface BudgetPreview {
  /** As `clone` draws with this budget; all of it when that is endless. */
  draw(budget: number): PreviewedDraft;
  /**
   * What a text of the messages costs. Long texts may be held by their ends; of those that `context` counts as they are,
   * this is an estimate.
   */
  count(text: string): number;
  /** About how much memory it takes, in bytes. */
  readonly bytes: number;
}

export interface PreviewedDraft {
  /** Drafts with the same number of steps are the same. */
  readonly steps: number;
  readonly turns: number;
  /** The model receives these; long texts may be held by their ends. */
  messages(): readonly PreviewedMessage[];
  ledger(): Ledger;
  /** The turns that are left out. */
  readonly dropped: ReadonlySet<number>;
}

export interface PreviewedMessage extends ContextMessage {
  /** The same in every draft of this preview, and of no other message unless they are alike. */
  readonly key: string;
}

/** Summaries in the place of turns, or beside them. */
export interface SummaryEditor {
  /** In place: a summary takes the place of older turns. */
  compact(fs: SessionFs, artifact: Artifact, request: CompactRequest): Promise<Draft>;
  /** A summary of all so far is put beside the session, and nothing else changes; where its program keeps such. */
  checkpoint?(fs: SessionFs, artifact: Artifact, request: CheckpointRequest): Promise<Draft>;
  /** The user's own program as a writer of summaries. */
  writer?(root: string): OwnWriter;
}

/** Sessions that follow the folder they are about. */
export interface MoveEditor {
  /** In place: the folder that the session is about has another path, here or on another machine. */
  move(fs: SessionFs, artifact: Artifact, request: MoveRequest): Promise<Draft>;
  /** Among the homes of one source that of the program which people call so. */
  findEditor?(roots: readonly string[], name: string): string | undefined;
}

/** Sessions that come from elsewhere. */
export interface ImportEditor {
  /** Puts a session that comes from elsewhere among the others, in the files it has. */
  take(fs: SessionFs, files: readonly IncomingFile[], request: TakeRequest): Promise<Draft>;
  /** Of several homes the one that a session from elsewhere comes to; `workspace` is what people named. */
  chooseRoot?(
    fs: SessionFs,
    roots: readonly string[],
    workspace: string | undefined,
  ): Promise<string | undefined>;
}

/** Repairs of damaged sessions. */
export interface RepairEditor {
  /** A sound session gives no steps. */
  session(fs: SessionFs, artifact: Artifact, request: { now: Date }): Promise<Draft>;
  /** Everything that is wrong below a root and can be put right, as one change. */
  all?(fs: SessionFs, root: string, request: RescueAllRequest): Promise<RescueAllDraft>;
}

/** Sessions without secrets. */
export interface ScrubEditor {
  /** In place: marks take the place of secrets, and every other byte stays. */
  scrub(fs: SessionFs, artifact: Artifact, request: ScrubRequest): Promise<Draft>;
}

/** What people may name instead of a folder to say which workspace they mean. */
export interface WorkspaceNames {
  /** Nothing for what is no such name. Relative paths start at `folder`. */
  find(
    fs: SessionFs,
    near: Pick<Artifact, "path" | "root">,
    text: string,
    folder: string,
  ): Promise<string | undefined>;
}

/** The bytes of a file that was placed, wherever they are kept. */
export type ReadPlanned = (planned: Planned) => Promise<Uint8Array>;

/** How steps go together where sessions share files. */
export interface StepRules {
  /** Steps of several sessions as steps that are taken together. */
  join(steps: readonly Step[]): readonly Step[];
  /** A folder that was placed, as smaller steps: they are undone where others have put something of theirs into it since. */
  splitPlacedFolder(
    fs: SessionFs,
    step: PlaceStep,
    now: Date,
    bytesOf: ReadPlanned,
  ): Promise<readonly Step[]>;
}

export type RescueAllDraft = Pick<Draft, "basis" | "steps" | "losses"> & {
  /** Those whose files change. */
  readonly sessions: readonly PlannedSession[];
  readonly repairs: readonly Repair[];
  readonly adoptions?: readonly Adoption[];
};
