/**
 * The interface of a driver for an agent's program: its command line, and the meaning of its output. Nothing is started
 * here.
 */
import type { ChatEvent, ChatUsage, StartMode } from "../model/chat.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";

/** What the installed program can do: older ones lack some of it. */
export interface Abilities {
  /** As it names itself; empty when it does not say. */
  readonly version: string;
  /** The id of a new session can be chosen. */
  readonly takesId: boolean;
  /** What happens comes as records, not only as text. */
  readonly tellsEvents: boolean;
  readonly streams: boolean;
  readonly resumes: boolean;
}

export interface OutgoingMessage {
  readonly text: string;
  readonly model?: string;
  /** Otherwise tools that need permission are denied, because nobody can be asked. */
  readonly allowsTools: boolean;
}

/** For finding the session that a program has just made, where its id could not be chosen. */
export interface JustMade {
  /** In which the program was started. */
  readonly folder: string;
  /** Just before it was started. */
  readonly since: Date;
  /** Sessions that were there before, or that other conversations own. */
  readonly known: ReadonlySet<string>;
  /** Whether two paths are one folder, as the system spells them. */
  readonly isSame: (one: string, other: string) => Promise<boolean>;
}

export interface CommandLine {
  readonly words: readonly string[];
  /** For its standard input. */
  readonly input?: string;
}

export interface Driver {
  /** As it is called on the command line, and how people get it. */
  readonly program: string;
  readonly install: string;
  readonly login: string;
  /** The words with which it tells of itself. */
  readonly probes: { readonly version: readonly string[]; readonly help: readonly string[] };
  readAbilities(version: string, help: string): Abilities;
  commandLine(mode: StartMode, message: OutgoingMessage, can: Abilities): CommandLine;
  /** Lines of its output in, events out; one for each run. */
  createStream(can: Abilities): (line: string) => ChatEvent[];
  /**
   * What the complaints of a failed run mean, on its standard error or in its records: the session is gone, the program
   * is not logged in, or something else.
   */
  explain(complaints: string): "gone" | "logged-out" | "other";
  /** Where the log of a session is, or will be if it begins in this folder. */
  logPath(fs: SessionFs, root: string, id: string, folder: string): Promise<string>;
  /** Where a session's log ends, in bytes; 0 when there is nothing to resume. */
  logEnd(fs: SessionFs, root: string, id: string): Promise<number>;
  /** What the log says, behind that place, of what was spent. */
  spentSince(fs: SessionFs, root: string, id: string, place: number): Promise<ChatUsage>;
  /** The ids of all sessions below a root. */
  sessions(fs: SessionFs, root: string): Promise<ReadonlySet<string>>;
  /** The right one, or none. */
  capture(fs: SessionFs, root: string, justMade: JustMade): Promise<string | undefined>;
}
