/** What a source is: two required methods; an optional method is a capability, and its presence says so. */
import type { ContextMessage } from "../model/context.ts";
import type { AppError } from "../model/errors.ts";
import type { FileImage } from "../model/image.ts";
import type { Draft, Piece, PlaceStep, PlannedSession, Step } from "../model/plan.ts";
import type { Repair } from "../model/plan-facts.ts";
import type { Problem } from "../model/problem.ts";
import type { Reduction } from "../model/reduction.ts";
import type { Artifact, Event, Session, SourceId, ToolAct } from "../model/session.ts";
import type { Story } from "../model/story.ts";
import type { SessionFs } from "../platform/session-fs.ts";
import type { Driver } from "./driver.ts";

/** The machine as a source may know it: read once by `app/config.ts`, made up by tests. */
export interface Environment {
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
  readonly vars: Readonly<Record<string, string | undefined>>;
}

/** Receives what a reader finds, in the order of the conversation. */
export interface ReadSink {
  event(event: Event): void;
  problem(problem: Problem): void;
}

export interface ReadOptions {
  /** What is kept of each tool result and other bulky text, in characters. Messages are kept whole unless their line is huge. */
  readonly textLimit?: number;
  /**
   * Leave unparsed what makes no event, and the end of long results: faster, but damage there goes unnoticed. What git and
   * its like printed is given whole, beyond any limit: who skims wants the commit that stands at its end.
   */
  readonly skim?: boolean;
  /** Lines longer than this many bytes are shrunk while they are read (default `MAX_LINE`). */
  readonly maxLine?: number;
  /** Go on from here: only what was added since comes to the sink, but the session given back is the whole one's. */
  readonly from?: Bookmark;
  /**
   * Told where the next reading may go on, by sources that can, when this one could. Problems that come after it are
   * about the session as it is now (a call without its result): the next reading finds them anew.
   */
  readonly onBookmark?: (bookmark: Bookmark) => void;
}

export interface TurnsAndContext {
  readonly turns: number;
  readonly messages: readonly ContextMessage[];
}

export interface ContextOptions {
  /** Given what a tool gave back, gives what is kept of it: who only counts or compares cannot hold all of a long session. */
  readonly hold?: (text: string) => string;
}

/** Where a reader stopped in a log that is only ever appended to. */
export interface Bookmark {
  /** The byte after the last whole line. */
  readonly offset: number;
  readonly lines: number;
  /** Hash of the bytes before the offset. */
  readonly guard: string;
  /** What the reader knew at that place: plain JSON that only the source understands. */
  readonly state: unknown;
}

/** Enough of a session to find it on disk. */
export type OnDisk = Pick<Session, "id" | "path">;

/** A database that the vendor's own program keeps of its sessions, with tables that ours has, too. */
export interface OwnStore {
  path(root: string): string;
  /** A process that may be writing to it now. */
  findUser(fs: SessionFs, root: string): Promise<number | undefined>;
  /** Every id that has files below the root, readable or not; nothing when the folder of all sessions is not there. */
  sessions(fs: SessionFs, root: string): Promise<ReadonlySet<string> | undefined>;
  /** Whether the program itself would put this session into it. */
  takes(artifact: Artifact): boolean;
  /** What goes into it beside the conversation. Throws what the disk says. */
  beside(fs: SessionFs, artifact: Artifact): Promise<BesideLog>;
}

export interface BesideLog {
  /** Summaries of compactions, by their numbers. */
  readonly checkpoints: ReadonlyMap<number, string>;
  /** Files that the session made for itself. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** What a new session is to be: its id is chosen by whoever asks, so that the same request makes the same draft. */
export interface CloneRequest {
  readonly id: string;
  readonly now: Date;
  readonly name?: string;
  /** The folder it is about from now on. */
  readonly workspace?: string;
  /** Less of it than there is; tokens are counted by whoever asks. */
  readonly reduce?: {
    readonly reduction: Reduction;
    readonly count: (text: string) => number;
    /** A summary takes the place of the turns that go. */
    readonly summarize?: SummaryWish;
  };
}

/** Answers a prompt with a summary; throws what people are to be told. */
export type WriteSummary = (prompt: string) => Promise<string>;

/** Made from the turns themselves, unless somebody is to write it. */
export interface SummaryWish {
  readonly write?: WriteSummary;
}

/** The user's own program as a writer of summaries, which is not to leave a session of that among theirs. */
export interface OwnWriter {
  /** By which people ask for it. */
  readonly name: string;
  /** Takes the prompt on stdin, and answers on stdout. */
  readonly command: readonly string[];
  /** Tells it where its home is. */
  readonly homeVariable: string;
  /** What makes it the user's own: settings, and who is logged in. */
  readonly links: readonly string[];
}

export interface CompactRequest extends SummaryWish {
  /** Turns at the end that stay while the others leave the log; without a number all of them stay in it. */
  readonly keep?: number;
  readonly now: Date;
}

export interface CheckpointRequest extends SummaryWish {
  readonly title?: string;
  readonly now: Date;
}

export interface ForkRequest extends Omit<CloneRequest, "workspace" | "reduce"> {
  /** The last turn that is kept, or the record before which the fork ends; all of it without one. */
  readonly at?: number | string;
  /** For the record that says where it came from. */
  readonly recordId: string;
}

/** Says what a change means for this source's files. Nothing is written here. */
export interface RewindRequest {
  /** The last turn that is kept. */
  readonly to: number;
  readonly now: Date;
  /** The workspace's files go back, too: to what they were before the turns that go. */
  readonly files?: boolean;
  /** For the session that is made instead, by sources that leave the original alone unless it is to change. */
  readonly id: string;
  readonly inPlace?: boolean;
}

export interface MoveRequest {
  /** The folder that is elsewhere now; without one it is the session's own. */
  readonly from?: string;
  readonly to: string;
  /** A workspace that people named otherwise than by its folder. */
  readonly workspace?: string;
  /** Another home of the same source that the session moves to. */
  readonly root?: string;
  /** What people, the model and tools wrote is rewritten, too. */
  readonly text: boolean;
  readonly now: Date;
}

/** A database in which a vendor's program keeps much else, and which it has in memory while it runs. */
export interface SharedDatabase {
  /** A process that would write over, or never see, what is changed at this path. */
  findUser(fs: SessionFs, path: string): Promise<number | undefined>;
  /** For people; the process is not always known. */
  inUse(pid?: number): AppError;
  /** Why the program would throw this value away. */
  objectionTo(path: string, key: string, value: string): AppError | undefined;
}

/** A file of a session that comes from elsewhere. */
export interface IncomingFile {
  /** Where in the session's folder, with forward slashes. */
  readonly path: string;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly size: number;
  readonly pieces: readonly Piece[];
  readonly sha256?: string;
}

export interface TakeRequest {
  /** The home that it comes to. */
  readonly root: string;
  /** As it was called elsewhere. */
  readonly id: string;
  /** As it is called here, where that is to be another id. */
  readonly newId?: string;
  readonly name?: string;
  readonly workspace?: string;
  readonly now: Date;
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
  takeApart?(step: PlaceStep, now: Date): readonly Step[];
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

/** What our own copy of a file can be read through, where there is one. */
export type FindCopy = (path: string) => Promise<SessionFs | undefined>;

export interface RescueAllRequest {
  readonly now: Date;
  readonly kept?: FindCopy;
}

export type RescueAllDraft = Pick<Draft, "basis" | "steps" | "losses"> & {
  /** Those whose files change. */
  readonly sessions: readonly PlannedSession[];
  readonly repairs: readonly Repair[];
};

/** What the model would receive of a session, and what else is known of it. */
export interface Transcript {
  readonly session: Session;
  readonly messages: readonly ContextMessage[];
  timeOf(message: ContextMessage): string | undefined;
  /** The tool reported a failure, whatever the model was told. */
  hasFailed(callId: string): boolean;
}

/** A form in which a vendor's program takes in sessions: those of other programs, or what it wrote down itself. */
export interface Interchange {
  /** By which people ask for it. */
  readonly format: string;
  /** Whether a file that begins so is one. */
  isOne(beginning: string): boolean;
  /** The lines of it, from what the model would receive. */
  write?(transcript: Transcript): Iterable<string>;
  /** All that the form can hold of a session; tells in words what that is not. */
  copy?(fs: SessionFs, artifact: Artifact, options: CopyOptions): Promise<readonly string[]>;
  /** The session that the vendor's own program would make of one. Throws where that program refuses it. */
  read(fs: SessionFs, path: string, request: InterchangeRequest): Promise<ReceivedSession>;
}

export interface CopyOptions {
  /** Takes out what is not to leave this machine. */
  clean<T>(value: T): T;
  write(text: string): void;
}

export interface InterchangeRequest {
  /** The id that it gets. */
  readonly id: string;
  readonly now: Date;
  /** The folder it is about, unless it says so itself. */
  readonly workspace: string;
  /** What it will be called, whatever it says itself. */
  readonly name?: string;
}

export interface ReceivedSession {
  /** The name of the log among the session's files, and its lines. */
  readonly log: { readonly path: string; readonly lines: Iterable<string> };
  /** The other files. */
  readonly texts: readonly { readonly path: string; readonly text: string }[];
  readonly mtimeMs: number;
}

/** What a root is made of, for whoever takes all of it elsewhere. */
export interface HomeLayout {
  /** In a word, for what is of the moment only: logs, caches, locks. Paths are relative, with forward slashes. */
  whyLeftOut(path: string): string | undefined;
  /** Of which a copy of the file alone may miss what was written last. */
  readonly databases: readonly string[];
  /** Whether a folder with these names in it is one. */
  isHome(names: readonly string[]): boolean;
  /** The command that makes its program use a root. */
  useWith(root: string): string;
}

export interface ScanSink {
  artifact(artifact: Artifact): void;
  problem(problem: Problem): void;
}

export interface Source {
  readonly id: SourceId;
  readonly label: string;
  /** The vendor counts tokens of its prompt cache apart from the input, not as a part of it. */
  readonly countsCacheApart?: boolean;
  /** The roots this machine may have, most important first. Pure: whether they exist is for `scan` to find out. */
  locate(env: Environment): string[];
  /** Finds the sessions below a root without opening one. A root that does not exist is no problem and yields nothing. */
  scan(fs: SessionFs, root: string, sink: ScanSink): Promise<void>;
  /** The folders below a root in which new sessions, or their folders, appear. Pure, as `locate` is. */
  entrances?(root: string): string[];
  /** The folder that holds a session and nothing else. Without it sessions share their folders. */
  folderOf?(artifact: Artifact): string | undefined;
  /** One session as `scan` would find it now; undefined when it is not where it was. Without it a session is its file. */
  look?(fs: SessionFs, artifact: Artifact): Promise<Artifact | undefined>;
  /** Reads one session, giving its events and problems to the sink as they come. Never throws for bad content. */
  read(fs: SessionFs, artifact: Artifact, sink: ReadSink, options?: ReadOptions): Promise<Session>;
  /** Whether the log still is what it was up to the bookmark, so that `read` may go on from there. Without it none may. */
  canGoOn?(fs: SessionFs, artifact: Artifact, bookmark: Bookmark): Promise<boolean>;
  /** The messages the real program would send on resume, system prompt and new prompt aside. */
  context?(fs: SessionFs, artifact: Artifact, options?: ContextOptions): Promise<ContextMessage[]>;
  /** How many turns `read` finds, and what `context` gives, where both at once cost less. */
  perceive?(fs: SessionFs, artifact: Artifact, options?: ContextOptions): Promise<TurnsAndContext>;
  /** The files that make up a session, for whoever keeps copies; without it, its own file is all there is. */
  files?(fs: SessionFs, artifact: Artifact): Promise<string[]>;
  /** What a tool call does, told apart from the vendor's name for the tool; nothing for tools of others. */
  act?(name: string, input: unknown): ToolAct | undefined;
  /** The processes that have sessions of a root open now, by the sessions' paths. It changes without the log. */
  owners?(fs: SessionFs, root: string, sessions: readonly OnDisk[]): Promise<ReadonlyMap<string, number>>;
  /**
   * What only a closer look at the home shows (stale locks, ghosts); for `doctor`. Whoever knows the workspaces of the
   * sessions already, by their paths, hears what can be told without opening any.
   */
  examine?(
    fs: SessionFs,
    root: string,
    sink: Pick<ScanSink, "problem">,
    workspaceOf?: (path: string) => string | undefined,
  ): Promise<void>;
  readonly ownStore?: OwnStore;
  /** Loaded when something is to be changed. */
  editor?(): Promise<Editor>;
  readonly home?: HomeLayout;
  /** Loaded when a transcript comes in or goes out. */
  interchange?(): Promise<Interchange>;
  /** The words that start its program on a session; nothing where nothing can be started. Pure. */
  launch?(artifact: Artifact, session: Session): readonly string[] | undefined;
  /** How its program is talked to, loaded when somebody does. */
  driver?(): Promise<Driver>;
  /** The files (below a root) that make a told story a session the real program accepts. */
  compose?(story: Story): Promise<FileImage[]>;
  /** Joins the composed files of many stories where they share one, such as a list of sessions. Without it none do. */
  merge?(images: readonly FileImage[]): Promise<FileImage[]>;
}

/** What finds sessions is small; what reads, judges and composes them is loaded when it is first needed. */
export function later<A extends unknown[], R>(
  load: () => Promise<(...args: A) => R | Promise<R>>,
): (...args: A) => Promise<R> {
  let loaded: ReturnType<typeof load> | undefined;
  return async (...args) => {
    loaded ??= load();
    return (await loaded)(...args);
  };
}

export const defineSource = (source: Source): Source => source;
