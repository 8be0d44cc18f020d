/** The requests to an editor. They contain every choice, so that the same request makes the same draft. */
import type { Draft, Piece } from "../model/plan.ts";
import type { PathRule } from "../model/plan-facts.ts";
import type { Reduction } from "../model/reduce/reduction.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import type { Survey } from "./source.ts";

/** A new session; the caller chooses its id, so that the same request makes the same draft. */
export interface CloneRequest {
  readonly id: string;
  readonly now: Date;
  readonly name?: string;
  /** What it is called where it is not named, by the title of the original; else that title. */
  readonly copyName?: (title: string) => string;
  /** The folder it is about from now on. */
  readonly workspace?: string;
  /** It is only read and never applied, so the program's list of sessions does not matter. */
  readonly unlisted?: boolean;
  /** Which addresses of files below the old folder lead to the new one then; those that are there, unless it is said. */
  readonly paths?: PathRule;
  /** Told of the original, by a source that reads all of it anyway. */
  readonly survey?: Survey;
  /** A reduction; tokens are counted by the caller. */
  readonly reduce?: {
    readonly reduction: Reduction;
    readonly count: (text: string) => number;
    /** A summary takes the place of the turns that go. */
    readonly summarize?: SummaryWish;
    /** Asked about each draft that has a budget: nothing when it fits, else the lower budget to try next. */
    readonly nextBudget?: (draft: Draft) => Promise<number | undefined>;
  };
}

/** Draws with lower and lower budgets until the draft fits. What the source knows of the session it finds out before. */
export async function drawWithin(
  reduce: CloneRequest["reduce"],
  draw: (reduction: Reduction | undefined) => Promise<Draft>,
): Promise<Draft> {
  let reduction = reduce?.reduction;
  for (;;) {
    const draft = await draw(reduction);
    const budget = await reduce?.nextBudget?.(draft);
    if (budget === undefined) return draft;
    reduction = { ...reduction, budget };
  }
}

/** Answers a prompt with a summary; throws errors for people. */
export type WriteSummary = (prompt: string) => Promise<string>;

/** Made from the turns themselves, unless a writer is given. */
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

export interface RewindRequest {
  /** The last turn that is kept, or the id of the first event that goes. */
  readonly to: number | string;
  readonly now: Date;
  /** The workspace's files go back, too: to what they were before the turns that go. */
  readonly files?: boolean;
  /** And so do files outside the folder that the session is about. */
  readonly outside?: boolean;
  /** Refuse where a file was changed since, instead of leaving it as it is. */
  readonly strict?: boolean;
  /** Of a session that is about all of the user's home, every file counts as outside. */
  readonly userHome?: string;
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
  /** As for a rewind. */
  readonly userHome?: string;
  /** The home that it comes to. */
  readonly root: string;
  /** As it was called elsewhere. */
  readonly id: string;
  /** As it is called here, where that is to be another id. */
  readonly newId?: string;
  readonly name?: string;
  readonly workspace?: string;
  /** The file of the session that it was once a copy of here: without a workspace it goes to the one of that. */
  readonly beside?: string;
  readonly now: Date;
}

/** What a session's files are without secrets. */
export interface ScrubRequest {
  /** Only those that change; pieces of the files themselves are the bytes that stay. */
  readonly files: readonly { readonly path: string; readonly pieces: readonly Piece[] }[];
  /** A text without secrets. */
  text(text: string): string;
  readonly now: Date;
}

/** What our own copy of a file can be read through, where there is one. */
export type FindCopy = (path: string) => Promise<SessionFs | undefined>;

export interface RescueAllRequest {
  readonly now: Date;
  /** Sessions whose folder was created again, or certainly renamed, are moved to where their program looks for them. */
  readonly adopt?: boolean;
  readonly kept?: FindCopy;
}
