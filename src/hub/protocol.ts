/** What a machine and the hub tell each other about raw files. Sizes and hashes are those of the bytes that were sent. */
import type { Listing } from "../model/session/session.ts";

export interface MachineName {
  /** A UUID that the machine made for itself. */
  readonly id: string;
  readonly name: string;
}

/** What only the machine knows of a session, beside its files. */
export interface SessionFacts {
  readonly title?: string;
  readonly workspace?: string;
  /** As the local store has it: what the agent recorded, else the git remote of the folder. */
  readonly repository?: string;
  readonly repositoryEvidence?: "session" | "folder";
  readonly branch?: string;
  /** Its main file, below the source's root; without it, it is found as on a disk. */
  readonly path?: string;
  /** What its program's own list of sessions says of it. */
  readonly listed?: Listing;
  /** When its main file was made: a copy is younger than what it was made of. */
  readonly bornMs?: number;
  /** When its files were found to be gone. */
  readonly vanishedAt?: string;
}

export interface PushedPiece {
  /** The byte of the file that it begins with. */
  readonly start: number;
  readonly bytes: number;
  /** How many records end in it; of a file that has none, 0. */
  readonly events: number;
  /** Hex, of the bytes before compression; of a sealed piece, of what is sent. */
  readonly sha256: string;
}

export interface PushedFile {
  /** Below the source's root, with slashes: `session-state/<id>/events.jsonl`. */
  readonly path: string;
  /** Begins with 0; a file that is not a continuation of what the hub has begins the next one. */
  readonly generation: number;
  readonly mode: number;
  readonly mtimeMs: number;
  /** Of the whole file, once these pieces are there. */
  readonly size: number;
  readonly sha256: string;
  readonly pieces: readonly PushedPiece[];
  /** Further pieces follow in another request, and nobody is to see these before the last of them is there. */
  readonly more?: boolean;
}

/** One request: some pieces of one session. The bodies follow in this order, each compressed (zstd) or sealed. */
export interface PushHeader {
  readonly machine: MachineName;
  readonly source: string;
  /** The agent's own id. */
  readonly id: string;
  readonly facts: SessionFacts;
  /** The bodies are encrypted with keys that the hub does not have. */
  readonly isSealed: boolean;
  /** Of a session that was deleted for good and is sent after all: which deletion that is about. */
  readonly afterDeletion?: string;
  readonly files: readonly PushedFile[];
  /** Paths that are no longer part of the session. */
  readonly removed: readonly string[];
  /** The lengths of the bodies, as they are sent. */
  readonly bodies: readonly number[];
}

export interface PushAnswer {
  /** The hub had no such session of this machine. */
  readonly created: boolean;
  /** Records that were new to the hub; those that it had already do not count. */
  readonly events: number;
  /** Derived rows will be made, or could not be asked for. */
  readonly backfill: "queued" | "failed" | "none";
  readonly files: readonly FileState[];
}

/** What the hub has of a file. */
export interface FileState {
  readonly path: string;
  /** -1 for a file of which nothing is complete yet. */
  readonly generation: number;
  readonly size: number;
  /** Hex, of all its bytes. */
  readonly sha256: string;
  readonly removed: boolean;
  /** What was sent with `more` and is not complete: continue it, or begin that generation again. */
  readonly next?: { readonly generation: number; readonly size: number; readonly sha256: string };
}

export interface SessionState {
  readonly source: string;
  readonly id: string;
  /** The hub's own name for it, of which it has one per machine. */
  readonly session: string;
  readonly isSealed: boolean;
  readonly files: readonly FileState[];
}

/** What the hub says of sessions of a machine. */
export interface SessionStates {
  /** Those that it has. */
  readonly sessions: readonly SessionState[];
  /** Those that it had, and that were deleted for good, on whichever machine that was said. */
  readonly deleted: readonly DeletedSession[];
}

export interface DeletedSession {
  readonly source: string;
  readonly id: string;
  /** Names the deletion; whoever sends the session after all has to know it, so that no late copy of a push brings it back. */
  readonly deletion?: string;
}

/** A session of one's own, on whichever machine. */
export interface OwnSession extends SessionState {
  readonly machine: MachineName;
  readonly facts: SessionFacts;
  readonly updatedAt?: string;
  readonly turns: number;
}

/** No piece is larger, before compression. */
export const LARGEST_PIECE = 1 << 20;
/** No request is larger. */
export const LARGEST_PUSH = 16 << 20;

/** `<length of the header, 4 bytes, big-endian><header as JSON><bodies>`. */
export const PUSH_MEDIA = "application/vnd.rethread.push";

/** The hub's name for a session of a machine. */
export const hubSessionId = (source: string, id: string, machine: string): string =>
  `${source}:${id}@${machine.slice(0, 8)}`;
