/** The interchange formats in which vendors' programs import and export sessions. */
import type { ContextMessage } from "../model/session/context.ts";
import type { Artifact, Session } from "../model/session/session.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";

/** What the model would receive of a session, and what else is known of it. */
export interface Transcript {
  readonly session: Session;
  readonly messages: readonly ContextMessage[];
  timeOf(message: ContextMessage): string | undefined;
  /** The tool failed, whatever the model received. */
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
