/** What can be asked of a catalog, whatever sources it has. */
import type { Problem } from "../model/problem.ts";
import type { ContextLimit, ContextMessage } from "../model/session/context.ts";
import type { ImagePlace } from "../model/session/image-ref.ts";
import type {
  Artifact,
  Event,
  Session,
  SidecarChanges,
  SidecarMark,
  SidecarText,
  SourceId,
} from "../model/session/session.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import type { ProcessLook } from "../platform/process/process-look.ts";
import type { SourceAbilities } from "./abilities.ts";
import type { Driver } from "./driver.ts";
import type { Editor } from "./editor.ts";
import type { OnSkipped } from "./files/of-session.ts";
import type { Handoff } from "./handoff.ts";
import type { Interchange } from "./interchange.ts";
import type { FolderRepositories, RecallRepository } from "./machine/folder-repositories.ts";
import type { Glances } from "./machine/glances.ts";
import type {
  PlacedHome,
  PlacedMcpSettings,
  PlacedVendorStore,
  SourceRoots,
} from "./machine/placed-sources.ts";
import type { WatchPoints } from "./machine/watch-points.ts";
import type { Bookmark, HealthLook, KnownWorkspace, ReadOptions, ReadSink, Source } from "./source.ts";
import type { ToolEditReader } from "./tools/edits.ts";

export type {
  PlacedHome,
  PlacedMcpSettings,
  PlacedVendorStore,
  SourceRoots,
} from "./machine/placed-sources.ts";

export interface Scan {
  readonly artifacts: readonly Artifact[];
  readonly problems: readonly Problem[];
}

export interface ReadResult {
  readonly session: Session;
  readonly events: readonly Event[];
  readonly problems: readonly Problem[];
}

/** Sessions whose files are gone, and of which we have copies. */
export interface KeptSessions {
  list(): Promise<readonly Artifact[]>;
  /** Their files as they were. */
  open(artifact: Artifact): Promise<SessionFs>;
}

/** A program that is talked to, and its home. */
export interface PlacedDriver {
  readonly source: SourceId;
  readonly label: string;
  readonly root: string;
  readonly driver: Driver;
}

/** The searchable files beside the logs, of the sources that have any. */
export interface Sidecars {
  /** The same artifact with the files beside it noted. Folders that have not changed since `before` are not listed again. */
  note(artifact: Artifact, before?: SidecarMark): Promise<Artifact>;
  /** What has to be read again. Without `before`, all of them. */
  changes(artifact: Artifact, before: SidecarMark | undefined): SidecarChanges;
  pathOf(artifact: Artifact, name: string): string;
  /** Nothing for what is not text, blank, or cannot be read. */
  read(artifact: Artifact, name: string): Promise<SidecarText | undefined>;
}

export interface Editing {
  readonly source: Source;
  readonly editor: Editor;
}

export interface Packing {
  /** The folder that all of it lies in. */
  readonly folder: string;
  readonly files: readonly string[];
  /** What would belong to them, but cannot be listed. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  /** What they are read through. */
  readonly fs: SessionFs;
}

export interface PlacedWorkspace extends KnownWorkspace {
  readonly source: SourceId;
}

export interface PlacedInterchange {
  readonly source: SourceId;
  readonly interchange: Interchange;
}

export interface Catalog {
  readonly sources: readonly SourceRoots[];
  readonly vendorStores: readonly PlacedVendorStore[];
  /** What sessions are read through. */
  readonly fs: SessionFs;
  /** The same sources on another disk, such as one that a plan will make. */
  on(fs: SessionFs): Catalog;
  /** The same catalog, with a memory of what folders were clones of. */
  recalling(recall: RecallRepository): Catalog;
  /** The same catalog, which reads nothing more once the signal is aborted. */
  until(signal: AbortSignal): Catalog;
  scan(only?: readonly SourceId[]): Promise<Scan>;
  /** For questions, which cannot wait for a look at everything. */
  readonly glances: Glances;
  /** For watchers. */
  readonly watchPoints: WatchPoints;
  /** What the folders of sessions are clones of. */
  readonly folders: Omit<FolderRepositories, "forget">;
  readonly sidecars: Sidecars;
  /** Streams one session into a sink. */
  read(artifact: Artifact, sink: ReadSink, options?: ReadOptions): Promise<Session>;
  /** What was read as recorded, with the repository of its folder. */
  withRepository(session: Session): Promise<Session>;
  /** Whether `read` can be given a range of a log of this source. */
  readsRanges(source: SourceId): boolean;
  /** What calls of a source's tools do to files. */
  toolEdits(source: SourceId): Promise<ToolEditReader>;
  /** Whether copies of sessions get new ids for their turns. */
  renewsIds(source: SourceId): boolean;
  /** When the file of a session was made, where the disk knows. */
  bornMs(artifact: Artifact): Promise<number | undefined>;
  /** Whether `read` may continue from where an earlier one stopped. */
  canContinue(artifact: Artifact, bookmark: Bookmark): Promise<boolean>;
  context(artifact: Artifact): Promise<ContextMessage[]>;
  /** How much its model takes in, where that is known. */
  contextLimit(artifact: Artifact): Promise<ContextLimit | undefined>;
  /** The bytes of a picture, whatever they are; nothing where there are none. Throws what the disk says. */
  image(artifact: Artifact, place: ImagePlace, most: number): Promise<Uint8Array | "too-large" | undefined>;
  /** The files that make up a session, also those behind links. */
  files(artifact: Artifact, onSkipped?: OnSkipped): Promise<readonly string[]>;
  /** Why a file in a bundle of this source is not taken in; nothing for one that belongs to its session. */
  whyLeftOut(source: SourceId, path: string): string | undefined;
  /** What a copy of a session is made of, also where only our own copy of it is left. */
  packing(artifact: Artifact): Promise<Packing>;
  /** The forms in which sessions of other programs come in, with the source that they become one of. */
  interchanges(): Promise<readonly PlacedInterchange[]>;
  /** The words that start a session's own program on it, where they are known. */
  launch(artifact: Artifact, session: Session): readonly string[] | undefined;
  /** The workspaces that programs have data of, where that is more than the folders of their sessions. */
  workspaces(only?: readonly SourceId[]): Promise<readonly PlacedWorkspace[]>;
  /** The variables that lead that program to its sessions, where they are not in their usual place. */
  launchVars(artifact: Artifact): Readonly<Record<string, string>>;
  /** The programs that can be talked to from outside. */
  drivers(): Promise<readonly PlacedDriver[]>;
  /** The homes that can be taken elsewhere as a whole. */
  readonly homes: readonly PlacedHome[];
  /** The programs that can be told of MCP servers. */
  readonly mcpSettings: readonly PlacedMcpSettings[];
  /** The variables that lead to the sessions of all programs, as far as they are set. */
  readonly placeVars: Readonly<Record<string, string>>;
  /** A catalog of one source, with a given root. */
  at(source: SourceId, root: string): Catalog;
  /** Which changes can be made to the sessions of each source. */
  abilities(): Promise<readonly SourceAbilities[]>;
  /** The source of this name. Throws where there is none. */
  source(id: SourceId): Source;
  /** What takes part in handoffs; nothing for a source that does not. */
  handoff(source: SourceId): Promise<Handoff | undefined>;
  /** What reads and changes a session of this source. Throws where it can only be read. */
  editing(
    artifact: Pick<Artifact, "source" | "vanishedAt"> & Partial<Pick<Artifact, "id">>,
  ): Promise<Editing>;
  /**
   * The processes that have these sessions open now, by the sessions' paths. Given a look at all processes, those are
   * found, too, that were started on a session and have not locked it yet.
   */
  owners(
    sessions: readonly Pick<Session, "source" | "id" | "path">[],
    look?: ProcessLook,
  ): Promise<ReadonlyMap<string, number>>;
  /** The closer look that `doctor` takes. */
  diagnose(only?: readonly SourceId[], look?: HealthLook): Promise<Problem[]>;
}
