/** A write to an agent's files, described before it happens: plain JSON that can be shown, kept and compared. */

import type { Fidelity } from "./handoff/fidelity.ts";
import type {
  Adoption,
  CopiedPaths,
  EditStats,
  InstructionLines,
  Move,
  NewCheckpoint,
  Repair,
  WorkspaceFile,
} from "./plan-facts.ts";
import type { Ledger } from "./reduce/reduction.ts";
import type { Advice } from "./remedy.ts";
import type { SessionKey } from "./values/id.ts";

/** What a written file is made of: new text or bytes, bytes of a file that is there, or bytes that the vault keeps. */
export type Piece =
  | { readonly text: string }
  | { readonly base64: string }
  | {
      readonly file: string;
      readonly start: number;
      readonly end: number;
      /** Line breaks become spaces, which for JSON means the same. */
      readonly oneLine?: boolean;
    }
  | { readonly blocks: readonly string[]; readonly size: number };

/** Extended attributes and ACLs by the names that tars give them, their values in base64. */
export type Attributes = Readonly<Record<string, string>>;

/** Who owns an entry. Missing in what older versions recorded, and where the write itself is to decide. */
interface Owned {
  readonly uid?: number;
  readonly gid?: number;
  /** Only where there are any. */
  readonly attributes?: Attributes;
}

/** Something in a folder, as it is or as it is meant to be. */
export type Entry = Owned & Kind;

type Kind =
  | { readonly kind: "folder"; readonly path: string; readonly mode: number; readonly mtimeMs: number }
  | { readonly kind: "link"; readonly path: string; readonly target: string; readonly mtimeMs?: number }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly mode: number;
      readonly mtimeMs: number;
      readonly size: number;
      /** Which file it is, where one is meant that is there. */
      readonly ino?: number;
    };

/** An entry to be written; only files are made of something. */
export type Planned = Entry & {
  readonly pieces?: readonly Piece[];
  /** Whose owner and attributes it gets: of what it is a moved copy of. What it replaces needs not be named. */
  readonly like?: string;
  /** What its bytes come to: known beforehand and held against the file once it is written, or noted when it was built. */
  readonly sha256?: string;
};

/** Each is one rename, or one transaction: before it nothing has happened, after it all of it has. */
export type Step = Change & {
  /** The staging folder of this step, if it is not the plan's own. The journal stores it under this name. */
  readonly hideout?: string;
  /** The name under which the session's program knows the path, when symbolic links lead from there to it. */
  readonly as?: string;
  /**
   * The sessions it belongs to, by their position in `sessionsOf`, where a plan has several. After a crash, the steps of
   * one session are completed or undone together. Without it a step belongs to all of them.
   */
  readonly sessions?: readonly number[];
};

type Change =
  /** What was not there: a file, or a folder with all that is in it, outermost first. */
  | { readonly does: "place"; readonly path: string; readonly entries: readonly Planned[] }
  | {
      readonly does: "replace";
      readonly path: string;
      readonly entries: readonly Planned[];
      /** A counter and the like: where it was changed since, undoing the rest leaves it alone. */
      readonly minor?: boolean;
    }
  /** What is there goes, with all that is in it. */
  | { readonly does: "remove"; readonly path: string }
  /** A few values of a database that its program keeps much else in. */
  | {
      readonly does: "set";
      readonly path: string;
      readonly table: string;
      readonly cells: readonly Cell[];
      /** Where a copy of the database as it was is left, beside it. */
      readonly copy: string;
    };

/** One value of a key-value database or, with `at`, one member of the JSON object in it: the others are not ours. */
export interface Cell {
  readonly key: string;
  readonly at?: readonly string[];
  /** The value, or the JSON text of the member; null where there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** That side of a whole value is no text but bytes, which are given in base64. */
  readonly bytes?: "before" | "after";
  /** What is put around a member where there is no value yet, and goes again with the last member. */
  readonly around?: string;
  /** The members before and behind one that goes, so that it comes back to its place where one of them is still there. */
  readonly between?: readonly [before: string | null, behind: string | null];
}

export type SetStep = Extract<Step, { does: "set" }>;
export type PlaceStep = Extract<Step, { does: "place" }>;

/** The sessions that two steps made into one belong to. */
export const joinSessions = (a: Step, b: Step): Pick<Step, "sessions"> =>
  a.sessions && b.sessions ? { sessions: [...new Set([...a.sessions, ...b.sessions])] } : {};

/** What a step puts in its place. */
export const entriesOf = (step: Step): readonly Planned[] => ("entries" in step ? step.entries : []);

/** What the plan was made from, and must still be so when it is carried out. */
export interface Basis {
  readonly entry: Entry;
  /** A log may have been appended to since, as only its first bytes are wanted. */
  readonly mayGrow?: boolean;
}

export type OperationKind =
  | "clone"
  | "fork"
  | "rewind"
  | "compact"
  | "checkpoint"
  | "move"
  | "rename"
  | "delete"
  | "rescue"
  /** Marks in the place of secrets. */
  | "scrub"
  | "import"
  /** A session of one program as a session of another. */
  | "handoff"
  | "migrate"
  /** What a backup holds, as a new session. */
  | "restore"
  /** Lines added to the instructions of a repository. */
  | "improve"
  /** A program's settings, not its sessions. */
  | "configure"
  | "undo";

/** What people call a write of this kind. */
export const nounOf = (kind: string): string => NOUNS.get(kind) ?? kind;

const NOUNS: ReadonlyMap<string, string> = new Map([
  ["compact", "compaction"],
  ["migrate", "migration"],
  ["improve", "improvement"],
  ["configure", "configuration"],
]);

/** A session that a plan makes or changes: where it is, or where it was. */
export type PlannedSession = SessionKey & {
  readonly path: string;
  /** Where symbolic links on the way lead, so that it is found even when they are gone. It may itself be a link. */
  readonly realPath?: string;
};

/** What the source makes of an intention, in terms of its own files. */
export interface Draft {
  /** The session that results. */
  readonly session: PlannedSession;
  readonly basis: readonly Basis[];
  readonly steps: readonly Step[];
  /** What it is called afterwards, where that is another name. */
  readonly name?: string;
  /** What is not included, in words for people. */
  readonly losses: readonly Advice[];
  /** A copy that must read exactly as the original does. */
  readonly isWhole?: boolean;
  /** What was found wrong and put right. */
  readonly repairs?: readonly Repair[];
  /** Sessions that followed their folder meanwhile, and those that could not. */
  readonly adoptions?: readonly Adoption[];
  /** Of a session that was made smaller. */
  readonly ledger?: Ledger;
  /** The summary that is written. */
  readonly checkpoint?: NewCheckpoint;
  /** Of a session that moved to another folder. */
  readonly move?: Move;
  /** Of a copy for another folder. */
  readonly paths?: CopiedPaths;
  /** Of a session that another program takes: what it gets in which form. */
  readonly fidelity?: Fidelity;
  /** Files of the workspace that turns which go had changed. */
  readonly files?: readonly WorkspaceFile[];
  /** The events that a rewind removes, and the first of them. */
  readonly removed?: { readonly events: number; readonly from?: string };
  /** The secrets that go, by kind. */
  readonly redactions?: readonly {
    readonly kind: string;
    readonly secrets: number;
    readonly places: number;
  }[];
  /** Lines that instruction files get. */
  readonly instructions?: readonly InstructionLines[];
  /** Whether these were to go back, too. */
  readonly withFiles?: boolean;
  /** The entry of an MCP server in the settings of a program. */
  readonly server?: ServerEntry;
}

export interface ServerEntry {
  readonly name: string;
  /** Missing where it is taken away. */
  readonly entry?: Readonly<Record<string, unknown>>;
  /** The settings have an entry of that name already, which is changed. */
  readonly isThere?: boolean;
  /** What the program does with it, as a sentence. */
  readonly effect: string;
}

/** What our own reader must find when all is written. */
export interface Intention {
  readonly turns: number;
  /** Hash of the messages that the model is to receive. */
  readonly context: string;
}

export interface EditPlan extends Draft {
  readonly kind: OperationKind;
  readonly title: string;
  /** The session that is read or changed. */
  readonly from: SessionKey;
  /** Sessions that no program may have open meanwhile. */
  readonly closed: readonly PlannedSession[];
  /**
   * The staging folder on the disk of the sessions, hidden from their program. The journal stores it under this name.
   */
  readonly hideout: string;
  readonly expected?: Intention;
  /** The other sessions, where one plan changes several. */
  readonly also?: readonly (PlannedSession & { readonly expected?: Intention })[];
  /** All of them with their titles, for people. */
  readonly named?: readonly (SessionKey & { readonly title: string })[];
  readonly stats?: EditStats;
  /** The session that results can be continued in its program. */
  readonly isContinuable?: true;
  readonly lineage?: "clone" | "fork" | "handoff";
  /** The program that takes a session of another one, by its name. */
  readonly program?: string;
  /** What a clone is called. */
  readonly name?: string;
  /** The folder that a clone or fork is about. */
  readonly workspace?: string;
  /** The original is not longer than the budget of the clone. */
  readonly alreadyFits?: boolean;
  /** Processes that seem to have the sessions open, and that the user said not to wait for. */
  readonly ignoring?: readonly IgnoredProcess[];
  /** The operation that this one undoes, and its kind. */
  readonly undoes?: string;
  readonly undoneKind?: OperationKind;
  /** What became of each session, where a crash left the write between two sessions; steps of those that are `old` are gone. */
  readonly became?: readonly SessionOutcome[];
}

export interface IgnoredProcess {
  readonly pid: number;
  /** The program's name, if the system reports it. */
  readonly program?: string;
  /** The session that it has open, where it is not all of them. */
  readonly session?: string;
}

/** `old`: as it was before. `new`: as it was meant to be. `mixed`: others have changed it, so it stays as they left it. */
export type Became = "old" | "new" | "mixed";

export type SessionOutcome = SessionKey & { readonly became: Became };

/** Concerns no session: its program reads its settings when it starts, or notices by itself. */
export const isOfSettings = ({ kind, undoneKind }: Pick<EditPlan, "kind" | "undoneKind">): boolean =>
  kind === "configure" || undoneKind === "configure";

/** Stands where a session would, in a plan about files that belong to none. */
export const noSession = (path: string): PlannedSession => ({ source: "", id: "", path });

/** Every session that a plan makes or changes; none where its files belong to no session. */
export const sessionsOf = ({
  session,
  also = [],
}: Pick<EditPlan, "session" | "also">): readonly PlannedSession[] =>
  session.source === "" ? [] : [session, ...also];

export const sizeOfPieces = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, piece) => {
    if ("text" in piece) return sum + Buffer.byteLength(piece.text);
    if ("base64" in piece) return sum + Buffer.byteLength(piece.base64, "base64");
    return sum + ("blocks" in piece ? piece.size : piece.end - piece.start);
  }, 0);
