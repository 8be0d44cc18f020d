/** What a source whose sessions can be changed makes of a request: steps in terms of its own files. Nothing is written here. */
import type { AppError } from "../model/errors.ts";
import type { Draft, PlaceStep, PlannedSession, Step } from "../model/plan.ts";
import type { Repair } from "../model/plan-facts.ts";
import type { Artifact } from "../model/session.ts";
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
  TakeRequest,
} from "./requests.ts";

/** A database in which a vendor's program keeps much else, and which it has in memory while it runs. */
export interface SharedDatabase {
  /** A process that would write over, or never see, what is changed at this path. */
  findUser(fs: SessionFs, path: string, look?: ProcessLook): Promise<number | undefined>;
  /** For people; the process is not always known. */
  inUse(pid?: number): AppError;
  /** Why the program would throw this value away. */
  objectionTo(path: string, key: string, value: string): AppError | undefined;
}

export interface Editor {
  /** A folder on the disk of a root that the vendor's program does not look into. */
  hideout(root: string): string;
  clone(fs: SessionFs, artifact: Artifact, request: CloneRequest): Promise<Draft>;
  fork(fs: SessionFs, artifact: Artifact, request: ForkRequest): Promise<Draft>;
  /** A session that ends with that turn already takes no steps. */
  rewind(fs: SessionFs, artifact: Artifact, request: RewindRequest): Promise<Draft>;
  /** In place: a summary takes the place of older turns. */
  compact?(fs: SessionFs, artifact: Artifact, request: CompactRequest): Promise<Draft>;
  /** A summary of all so far is put beside the session, and nothing else changes. */
  checkpoint?(fs: SessionFs, artifact: Artifact, request: CheckpointRequest): Promise<Draft>;
  writer?(root: string): OwnWriter;
  rename(fs: SessionFs, artifact: Artifact, request: { name: string; now: Date }): Promise<Draft>;
  /** In place: the folder that the session is about has another path, here or on another machine. */
  move?(fs: SessionFs, artifact: Artifact, request: MoveRequest): Promise<Draft>;
  /** Steps of several sessions as steps that are taken together, where they share files. */
  joinSteps?(steps: readonly Step[]): readonly Step[];
  /** A folder that was placed, as smaller steps: they are undone where others have put something of theirs into it since. */
  takeApart?(fs: SessionFs, step: PlaceStep, now: Date): Promise<readonly Step[]>;
  /** Among the homes of one source that of the program which people call so. */
  findEditor?(roots: readonly string[], name: string): string | undefined;
  remove(fs: SessionFs, artifact: Artifact, request: { now: Date }): Promise<Draft>;
  /** Where its program lists sessions in a database of its own. */
  readonly database?: SharedDatabase;
  /** Puts a session that comes from elsewhere among the others, in the files it has. */
  take?(fs: SessionFs, files: readonly IncomingFile[], request: TakeRequest): Promise<Draft>;
  /** Of several homes the one that a session from elsewhere comes to; `workspace` is what people named. */
  chooseRoot?(
    fs: SessionFs,
    roots: readonly string[],
    workspace: string | undefined,
  ): Promise<string | undefined>;
  /** What people may name instead of a folder to say which workspace they mean; relative paths start at `folder`. */
  toWorkspace?(
    fs: SessionFs,
    near: Pick<Artifact, "path" | "root">,
    text: string,
    folder: string,
  ): Promise<string | undefined>;
  /** A sound session gives no steps. */
  rescue?(fs: SessionFs, artifact: Artifact, request: { now: Date }): Promise<Draft>;
  /** Everything that is wrong below a root and can be put right, as one change. */
  rescueAll?(fs: SessionFs, root: string, request: RescueAllRequest): Promise<RescueAllDraft>;
}

export type RescueAllDraft = Pick<Draft, "basis" | "steps" | "losses"> & {
  /** Those whose files change. */
  readonly sessions: readonly PlannedSession[];
  readonly repairs: readonly Repair[];
};
