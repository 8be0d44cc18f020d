/** The core types: artifacts on disk, their events, and sessions. */

import type { FileEdit } from "./file-edit.ts";
import type { ImageRef } from "./image-ref.ts";
import type { ResultFacts } from "./result-facts.ts";
import type { Usage } from "./usage.ts";

/** Such as "copilot-cli"; a string, so that a new source needs no change here. */
export type SourceId = string;

/** What is on disk for one session, found by a scan without reading the conversation. */
export interface Artifact {
  readonly source: SourceId;
  /** The vendor's own session id, unique within its root. */
  readonly id: string;
  /** The root it was found under (a Copilot home, a `User` folder, a Claude config folder). */
  readonly root: string;
  /** The file that holds the conversation. */
  readonly path: string;
  readonly fingerprint: Fingerprint;
  /** What the scan already learned from the vendor's own list of sessions. */
  readonly listed?: Listing;
  /** The files beside the log that are searchable, where the caller had them noted. */
  readonly sidecars?: SidecarMark;
  /** Its files are gone since then (ISO 8601), and it is read from our copy of them. */
  readonly vanishedAt?: string;
}

/** Cheap proof that an artifact has not changed. */
export interface Fingerprint {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

/** Cheap proof that the files beside a log have not changed. Only the source understands it. */
export interface SidecarMark {
  /** The size and time of each file. The same text means that no file changed. */
  readonly files: string;
  /** The times of the folders: while they stay the same, no file was added or removed. */
  readonly folders: string;
}

/** The text of a file beside a log, as far as it is searchable. */
export type SidecarText =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "checkpoint";
      readonly text: string;
      readonly number: number;
      /** What the vendor's table of checkpoints calls it. */
      readonly title?: string;
      /** When the file was written (ISO 8601). */
      readonly at: string;
    };

/** The files beside a log that have to be read again, and those that are gone, by their names in the session's folder. */
export interface SidecarChanges {
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

/** What the vendor's list of sessions says about one; only some sources have such a list. */
export interface Listing {
  readonly state: "listed" | "orphan" | "ghost";
  readonly title?: string;
  readonly workspace?: string;
}

/** False for what is left of a session whose own file its program has lost. */
export const isWhole = ({ listed }: Pick<Artifact, "listed">): boolean => listed?.state !== "ghost";

/** Where an event came from: one record (line) of one file, as a byte range. */
export interface Origin {
  /** Set when the record is not in the artifact's own file (a sub-agent's log, a transcript). */
  readonly file?: string;
  /** Counted from 1. */
  readonly line: number;
  /** First byte of the record, and the byte after its last one (line feed not included). */
  readonly start: number;
  readonly end: number;
  /** Where inside the record, as a path of keys, when one record holds many events. */
  readonly at?: readonly (string | number)[];
}

interface EventBase {
  readonly origin: Origin;
  /** ISO 8601. */
  readonly time?: string;
  /** The vendor's id of the record, where it has one. */
  readonly id?: string;
  /** Set on the work of a sub-agent: the tool call that started it. */
  readonly agent?: string;
  /** How many bytes of text were left out because the reader was asked to stay small. */
  readonly cut?: number;
}

/** Something that went with a prompt: a file, an image, a selection. */
export interface Attachment {
  readonly kind: string;
  readonly name: string;
  readonly path?: string;
  /** Set on a picture. */
  readonly image?: ImageRef;
}

/** The user asks; a prompt without `agent` starts a turn. */
export interface PromptEvent extends EventBase {
  readonly kind: "prompt";
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  /** The turn was undone: its program hides it, and has put the files back. */
  readonly undone?: true;
  /** The key of the turn that was handed over from another program; see `work-key.ts`. */
  readonly work?: number;
}
export interface TextEvent extends EventBase {
  readonly kind: "text";
  readonly text: string;
  readonly model?: string;
}
export interface ThinkingEvent extends EventBase {
  readonly kind: "thinking";
  readonly text: string;
}
export interface ToolCallEvent extends EventBase {
  readonly kind: "tool-call";
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  /** The vendor's own one-line description of the call. */
  readonly label?: string;
  /** Where the tool comes from, where the program has tools of others. */
  readonly provider?: ToolProvider;
  readonly approval?: Approval;
  readonly act?: ToolAct;
}

export interface ToolProvider {
  /** `built-in` for tools of the program itself; else in the vendor's word, such as `extension` or `mcp`. */
  readonly kind: string;
  readonly name: string;
}

/** Why a call was let through, or that it was not. */
export const APPROVALS = ["not-needed", "setting", "rule", "user", "denied", "skipped"] as const;
export type Approval = (typeof APPROVALS)[number];

/** What a call does, independent of the vendor's tool name. */
export interface ToolAct {
  readonly does: "run" | "read" | "search" | "create" | "edit" | "delete" | "fetch" | "delegate";
  /** As the call names them: not resolved, not normalized. */
  readonly paths?: readonly string[];
  readonly command?: string;
}
export interface ToolResultEvent extends EventBase {
  readonly kind: "tool-result";
  readonly callId: string;
  readonly status: "ok" | "failed" | "interrupted";
  readonly text: string;
  /** The exit code of a command, if the vendor records it; the tool call itself succeeded. */
  readonly exitCode?: number;
  /** From the start of the tool to its end, where the program noted both. */
  readonly durationMs?: number;
  /** Of the whole result, where `text` is only its beginning. */
  readonly facts?: ResultFacts;
  /** Pictures among what it gave back. */
  readonly images?: readonly ImageRef[];
  /** What it did to files, as far as the vendor recorded that; only for readers who ask for it. */
  readonly edits?: readonly FileEdit[];
}
/** Files changed, as far as the vendor recorded it apart from the tool call. */
export interface EditEvent extends EventBase {
  readonly kind: "edit";
  readonly path: string;
  readonly added?: number;
  readonly removed?: number;
  /** How they were changed; only for readers who ask for it. */
  readonly edits?: readonly FileEdit[];
}
/** Older turns were replaced by a summary for the model; the turns themselves are still there to read. */
export interface CompactionEvent extends EventBase {
  readonly kind: "compaction";
  readonly summary: string;
  readonly title?: string;
  readonly checkpoint?: number;
}
/** Everything before was taken from the model's view. */
export interface ClearEvent extends EventBase {
  readonly kind: "clear";
}
/** Words from the program itself, such as a warning or an error of the model service. */
export interface NoticeEvent extends EventBase {
  readonly kind: "notice";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  /** It is about the session and may come days later, as when a copy is made: the turn before it is not longer for it. */
  readonly isAside?: true;
}
export const NOTE_TOPICS = ["tasks", "references", "citations", "followups", "details", "agent"] as const;

/** What the program noted beside the words of a turn: its task list, what an answer drew on, what might be asked next. */
export interface NoteEvent extends EventBase {
  readonly kind: "note";
  readonly about: (typeof NOTE_TOPICS)[number];
  readonly items: readonly NoteItem[];
}

export interface NoteItem {
  readonly text: string;
  /** A file or an address. */
  readonly path?: string;
  readonly detail?: string;
  /** Of a task. */
  readonly status?: "open" | "active" | "done";
}

/** One model call, or all of a turn where the vendor counts no closer. */
export interface UsageEvent extends EventBase, Usage {
  readonly kind: "usage";
}

export type Event =
  | PromptEvent
  | TextEvent
  | ThinkingEvent
  | ToolCallEvent
  | ToolResultEvent
  | EditEvent
  | CompactionEvent
  | ClearEvent
  | NoticeEvent
  | NoteEvent
  | UsageEvent;

/** Where a session came from. */
export interface Parent {
  readonly id: string;
  /** `agent`: the log of a sub-agent to which no call leads. */
  readonly kind: "fork" | "clone" | "branch" | "agent";
  readonly title?: string;
}

/** The session of another program that one was handed over from. */
export interface HandedFrom {
  readonly source: SourceId;
  readonly id: string;
  readonly title?: string;
}

/** Something kept beside the conversation: a plan, a file the session made, file states to go back to. */
export interface Sidecar {
  readonly kind: "plan" | "checkpoint" | "file" | "research" | "snapshot" | "file-state" | "tasks";
  readonly name: string;
  readonly path: string;
  readonly bytes?: number;
  /** What is in it, in a few words. */
  readonly detail?: string;
  /** The vendor's id of the record it belongs to. */
  readonly record?: string;
  /** Of a checkpoint. */
  readonly number?: number;
}

/** One conversation with one identity: its head, without the events. */
export interface Session {
  readonly source: SourceId;
  readonly id: string;
  readonly title: string;
  /** What the vendor calls it, where that is too long for a title. */
  readonly name?: string;
  /** The folder (or `.code-workspace`, or remote URI) the work was about. */
  readonly workspace?: string;
  /** `owner/name` on github.com, `host/path/name` elsewhere; see `values/repository.ts`. */
  readonly repository?: string;
  /** Its server, where a source knows that apart; the catalog puts both together. */
  readonly repositoryHost?: string;
  /** Set when the session itself does not name the repository. */
  readonly repositoryFrom?: "folder";
  readonly branch?: string;
  readonly createdAt?: string;
  /** Last activity. */
  readonly updatedAt?: string;
  readonly turns: number;
  readonly problems: number;
  readonly models: readonly string[];
  readonly path: string;
  readonly bytes: number;
  readonly parent?: Parent;
  /** Set when the session itself does not name its parent, and only its turns tell. */
  readonly parentFrom?: "turns";
  /** Set where the session itself says that it was handed over. */
  readonly handedFrom?: HandedFrom;
  /** The vendor's program and version that wrote the session, e.g. "1.0.102". */
  readonly producer?: string;
  /** What the program calls the person who asks, and who answers. */
  readonly userName?: string;
  readonly agentName?: string;
  /** A process that has the session open now. */
  readonly openIn?: number;
  /** What lies beside the conversation, where the source keeps such things. */
  readonly sidecars?: readonly Sidecar[];
  /** Its program's own command to continue it, for a shell in the session's folder. */
  readonly resume?: string;
  /** Its files are gone since then (ISO 8601); what is shown was kept. */
  readonly vanishedAt?: string;
  /** What a person gave it to find it by, in alphabetical order; see `tags.ts`. */
  readonly tags?: readonly string[];
}
