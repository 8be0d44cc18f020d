/**
 * What a source is: two functions that find and read sessions, and a group of functions for each other capability that it
 * has. A group that is missing says that the source cannot do it.
 */

import type { BoardNote } from "../model/board/item.ts";
import type { FileImage } from "../model/image.ts";
import type { Problem } from "../model/problem.ts";
import type { ContextLimit, ContextMessage } from "../model/session/context.ts";
import type { ValuePlace } from "../model/session/image-ref.ts";
import type {
  Artifact,
  Event,
  Session,
  SidecarChanges,
  SidecarMark,
  SidecarText,
  SourceId,
  ToolAct,
} from "../model/session/session.ts";
import type { Story } from "../model/session/story.ts";
import type { WorkspacePlace } from "../model/values/workspace-place.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import type { ProcessLook } from "../platform/process/process-look.ts";
import type { BriefSink } from "./brief.ts";
import type { Driver } from "./driver.ts";
import type { Editor } from "./editor.ts";
import type { OnSkipped } from "./files/of-session.ts";
import type { Handoff } from "./handoff.ts";
import type { Interchange } from "./interchange.ts";
import type { ProgramSigns } from "./machine/program.ts";
import type { McpSettings } from "./mcp-settings.ts";
import type { ToolEditReader } from "./tools/edits.ts";

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
  /** Where it takes what there is most of without events: a reader may tell it so, or give events all the same. */
  readonly brief?: BriefSink;
}

export interface ReadOptions {
  /** What is kept of each tool result and other bulky text, in characters. Messages are kept whole unless their line is huge. */
  readonly textLimit?: number;
  /**
   * Leave unparsed what makes no event, and the end of long results: faster, but damage there goes unnoticed. What git and
   * its like printed is given whole, beyond any limit: who skims wants the commit that stands at its end.
   */
  readonly skim?: boolean;
  /** Give what calls did to files, as far as it is recorded beside them: whole files, at worst. */
  readonly edits?: boolean;
  /** Give the repository as the log names it, for the vendor's own store; otherwise it has the name it has everywhere. */
  readonly asRecorded?: boolean;
  /** Lines longer than this many bytes are shrunk while they are read (default `MAX_LINE`). */
  readonly maxLine?: number;
  /** Go on from here: only what was added since comes to the sink, but the session given back is the whole one's. */
  readonly from?: Bookmark;
  /**
   * Only these bytes, from the first of a turn's prompt on, by sources that say `readsRanges`. The session given back then
   * tells only what is known without the rest of the log: who has it open, and what lies beside it. Every source can be
   * given an empty range: then it opens no log, or gives what is in it all the same.
   */
  readonly range?: { readonly start: number; readonly end: number; readonly line: number };
  /**
   * Called with the bookmark for the next reading, by sources that can continue. Problems after it are about the
   * current state of the session (a call without its result), and the next reading finds them again.
   */
  readonly onBookmark?: (bookmark: Bookmark) => void;
}

export interface TurnsAndContext {
  readonly turns: number;
  readonly messages: readonly ContextMessage[];
}

export interface ContextOptions {
  /** Given what a tool or the model said, gives what is kept of it: who only counts or compares cannot hold all of a long session. */
  readonly hold?: (text: string) => string;
}

/** Takes what a reading for another purpose tells of a session on the way, so that it need not be read once more. */
export interface Survey {
  /** As in `ContextOptions`. */
  readonly hold: (text: string) => string;
  /** Given what `ContextReader.measure` would give. */
  take(told: TurnsAndContext): void;
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

export interface ScanSink {
  artifact(artifact: Artifact): void;
  problem(problem: Problem): void;
}

export interface Source {
  readonly id: SourceId;
  readonly label: string;
  /**
   * The roots this machine may have, most important first: paths, in which `~/` is the user's home, or a pure function
   * that tells them. Whether they exist is for `scan` to find out.
   */
  readonly locate: readonly string[] | ((env: Environment) => readonly string[]);
  /** The variables that `locate` looks at. */
  readonly variables?: readonly string[];
  /** Finds the sessions below a root without opening one. A root that does not exist is no problem and yields nothing. */
  scan(fs: SessionFs, root: string, sink: ScanSink): Promise<void>;
  /** Reads one session, giving its events and problems to the sink as they come. Never throws for bad content. */
  read(fs: SessionFs, artifact: Artifact, sink: ReadSink, options?: ReadOptions): Promise<Session>;

  /** `read` can be given a range of the log. Not so where a turn may be made of bytes from anywhere in the file. */
  readonly readsRanges?: boolean;
  /** Copies of a session get new ids for their turns. Without it turns are recognised by their ids. */
  readonly renewsIds?: boolean;
  /** The vendor counts tokens of its prompt cache apart from the input, not as a part of it. */
  readonly countsCacheApart?: boolean;
  /** What a tool call does, by the vendor's name for the tool; nothing for tools of others. */
  actionOf?(name: string, input: unknown): ToolAct | undefined;
  /** What calls do to files, as far as their arguments tell; loaded when somebody wants to know. */
  toolEdits?(): Promise<ToolEditReader>;
  readonly context?: ContextReader;
  readonly watch?: Watching;
  readonly sidecars?: SidecarReader;
  readonly files?: SessionFiles;
  readonly processes?: ProcessFinder;
  readonly health?: Health;
  readonly workspaces?: WorkspaceLister;
  readonly start?: Starting;
  readonly demo?: Composer;
  readonly home?: HomeLayout;
  readonly vendorStore?: VendorStore;
  /** Loaded when somebody looks at a picture. */
  images?(): Promise<ImageReader>;
  readonly mcp?: McpSettings;
  /** Loaded when something is to be changed. */
  editor?(): Promise<Editor>;
  /** Loaded when a transcript comes in or goes out. */
  interchange?(): Promise<Interchange>;
  /** Loaded when a session goes to another program, or comes from one. */
  handoff?(): Promise<Handoff>;
}

/** What the program's model receives. */
export interface ContextReader {
  /** The messages the real program would send on resume, system prompt and new prompt aside. */
  messages(fs: SessionFs, artifact: Artifact, options?: ContextOptions): Promise<ContextMessage[]>;
  /** How many turns `read` finds, and what `messages` gives, where both at once cost less. */
  measure?(fs: SessionFs, artifact: Artifact, options?: ContextOptions): Promise<TurnsAndContext>;
  /** How much its model takes in, where the program noted that. */
  limit?(fs: SessionFs, artifact: Artifact): Promise<ContextLimit | undefined>;
}

/** Pictures in conversations: events name them, and their bytes are read one at a time. */
export interface ImageReader {
  /** The bytes of a picture, given the value in the log that holds them; nothing where it holds none. Pure. */
  bytesIn(value: unknown): Uint8Array | undefined;
  /** Where the log has the bytes that it keeps under a name. */
  findAsset?(fs: SessionFs, artifact: Artifact, asset: string): Promise<ValuePlace | undefined>;
}

/** Noticing what was written since a session was last read. */
export interface Watching {
  /** The folders below a root in which new sessions, or their folders, appear. Pure. */
  newSessionFolders?(root: string): readonly string[];
  /** One session as `scan` would find it now; undefined when it is not where it was. Without it a session is its file. */
  inspect?(fs: SessionFs, artifact: Artifact): Promise<Artifact | undefined>;
  /**
   * Whether the log is unchanged up to the bookmark, so that `read` may continue from there. Without this function it
   * may not.
   */
  canContinue?(fs: SessionFs, artifact: Artifact, bookmark: Bookmark): Promise<boolean>;
  /** Without it everything is looked at every time. */
  readonly glancing?: Glancing;
}

/** Looking at thousands of sessions as one does before every question: at those that may have changed. */
export interface Glancing {
  /** What to compare with, after a look at everything below a root that found these; nothing where a glance would not do. */
  remember(
    fs: SessionFs,
    root: string,
    artifacts: readonly Artifact[],
    /** When the look began, and for how long a quiet session has not been written. */
    times: { readonly beganMs: number; readonly quietMs: number },
  ): Promise<Remembered | undefined>;
  /**
   * Gives the sink the sessions that may not be as they were, as a scan would, and tells how many others there are.
   * Nothing where one has gone, or only a look at everything can tell.
   */
  glance(fs: SessionFs, root: string, before: Remembered, sink: ScanSink): Promise<number | undefined>;
}

/** What a source remembers of a look at everything. */
export interface Remembered {
  /** Of sessions, without line ends. */
  readonly names: readonly string[];
  readonly stamps: Float64Array;
}

/** The searchable files beside a session's log. */
export interface SidecarReader {
  /** Notes them without opening one. Folders that have not changed since `before` are not listed again. */
  note(fs: SessionFs, artifact: Artifact, before?: SidecarMark): Promise<SidecarMark | undefined>;
  /** Without `before`, all of them are to be read. */
  changes(before: SidecarMark | undefined, now: SidecarMark): SidecarChanges;
  /** The path of one. Pure. */
  pathOf(artifact: Pick<Artifact, "path">, name: string): string;
  /** Nothing for what is not text, blank, or cannot be read. */
  read(fs: SessionFs, artifact: Artifact, name: string): Promise<SidecarText | undefined>;
  /** The folders that they are in, below the session's own, for a watcher. Pure. */
  folders(artifact: Artifact): readonly string[];
}

/** The files of sessions, for copies of them and for those who must not write there. */
export interface SessionFiles {
  /** The files that make up a session; without it, its own file is all there is. */
  of?(fs: SessionFs, artifact: Artifact, onSkipped?: OnSkipped): Promise<string[]>;
  /** The folder that holds a session and nothing else. Without it sessions share their folders. */
  folderOf?(artifact: Pick<Artifact, "path">): string | undefined;
  /**
   * In a word, why a file of a session is never copied: locks and other things of the moment, which would keep the copy
   * from being used. By its path in a bundle's part, with forward slashes. `of` leaves the same ones out.
   */
  whyLeftOut?(path: string): string | undefined;
  /** The folders that are its program's own, where those are not the roots as a whole. Pure. */
  ownFolders?(env: Environment): readonly string[];
}

/** The processes that have sessions open. */
export interface ProcessFinder {
  /** By their locks, by the sessions' paths. It changes without the log. */
  owners?(
    fs: SessionFs,
    root: string,
    sessions: readonly OnDisk[],
    look?: ProcessLook,
  ): Promise<ReadonlyMap<string, number>>;
  /** How the program is found among the processes of the machine, for sessions that it has open without a lock. */
  signs?(): Promise<ProgramSigns>;
}

/** What only a closer look at a home shows; for `doctor`. */
export interface Health {
  /** Stale locks, ghosts and the like. */
  diagnose(fs: SessionFs, root: string, sink: Pick<ScanSink, "problem">, look?: HealthLook): Promise<void>;
}

/** How closely to look, and what the caller knows already. */
export interface HealthLook {
  /** The workspace of the session at a path, so that it need not be read for that. */
  readonly workspaceOf?: (path: string) => string | undefined;
  /** Only what can be said without opening any session. */
  readonly opensNone?: boolean;
  /** Oddities are of no interest. */
  readonly countsOnly?: boolean;
}

/** The workspaces that a program has data of, with or without sessions. Without it the folders of sessions are all there is. */
export interface WorkspaceLister {
  /** Never throws: what cannot be read is left out, and `scan` reports it. */
  list(fs: SessionFs, root: string): Promise<readonly KnownWorkspace[]>;
}

export interface KnownWorkspace extends WorkspacePlace {
  /** The program's own name for it, by which it can be named in requests. */
  readonly id?: string;
  /** The program that the root belongs to, where one source has several. */
  readonly editor: string;
  /** When the program last wrote something there. */
  readonly usedMs?: number;
  /** The folders that hold its sessions. */
  readonly holds: readonly string[];
}

/** Starting the program on a session, and talking to it. */
export interface Starting {
  /** The variable that names the root of the program's sessions, if it has one. */
  readonly rootVariable?: string;
  /** The words that start the program on a session; nothing where nothing can be started. Pure. */
  command(artifact: Artifact, session: Session): readonly string[] | undefined;
  /** The driver of the program, loaded on demand. */
  driver?(): Promise<Driver>;
}

/** Making sessions out of stories, for the demo. */
export interface Composer {
  /**
   * The files (below a root) of a story as a session that the real program accepts. `identity` is that of the story's
   * folder (`folderIdentity`), for programs that do not know a folder by its path alone; missing where it is gone.
   */
  compose(story: Story, identity?: string): Promise<FileImage[]>;
  /**
   * Joins the composed files of many stories where they share one, such as a list of sessions; programs that keep a
   * context board write these notes on it. Without it none do.
   */
  merge?(images: readonly FileImage[], notes?: readonly BoardNote[]): Promise<FileImage[]>;
}

/** What a root is made of, for taking all of it elsewhere. */
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

/** A database that the vendor's own program keeps of its sessions, with tables that ours has, too. */
export interface VendorStore {
  path(root: string): string;
  /** Cheap proof that it has not changed; undefined where there is none. */
  mark(fs: SessionFs, root: string): Promise<string | undefined>;
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
  /** Summaries of compactions, by their numbers, and when their files were written (ISO 8601). */
  readonly checkpoints: ReadonlyMap<number, { readonly text: string; readonly at: string }>;
  /** Files that the session made for itself. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** The roots of a source on this machine. */
export const rootsOf = ({ locate }: Pick<Source, "locate">, env: Environment): readonly string[] =>
  typeof locate === "function"
    ? locate(env)
    : locate.map((root) => (root.startsWith("~/") ? env.homeDir + root.slice(1) : root));

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
