/**
 * A conversation on its way from one program to another: richer than the messages that a model receives, and free of
 * what belongs to one program only. What a turn is, is the same as everywhere.
 */
import type { Session, SourceId } from "../session/session.ts";
import type { Act } from "./act.ts";

export interface Conversation {
  /** The session that it comes from. */
  readonly session: Session;
  /** Stands for everything before the first turn. */
  readonly summary?: { readonly text: string; readonly time?: string };
  readonly turns: readonly ConversationTurn[];
  readonly left: LeftBehind;
}

export interface ConversationTurn {
  /** As `show` counts; missing where only the work on an earlier prompt is left. */
  readonly index?: number;
  readonly prompt?: Prompt;
  readonly replies: readonly Reply[];
}

export interface Prompt {
  readonly text: string;
  readonly time?: string;
  readonly images: readonly Picture[];
  readonly files: readonly AttachedFile[];
  /** By what its turn is recognised in copies; see `work-key.ts`. */
  readonly work?: number;
}

export interface AttachedFile {
  readonly name: string;
  readonly path: string;
}

/** A picture with its bytes. */
export interface Picture {
  readonly name?: string;
  /** The media type, by the bytes themselves. */
  readonly type: string;
  /** Base64. */
  readonly data: string;
}

/** What the model said in one go: a thought, a text, then calls whose results it waited for. */
export interface Reply {
  readonly thinking?: string;
  readonly text: string;
  readonly calls: readonly Call[];
  readonly time?: string;
}

export interface Call {
  readonly id: string;
  /** The source whose name and arguments these are. */
  readonly vendor: SourceId;
  readonly name: string;
  readonly input: unknown;
  /** What it does, where that was asked. */
  readonly act?: Act;
  readonly time?: string;
  readonly result: CallResult;
}

export interface CallResult {
  readonly text: string;
  readonly status: "ok" | "failed" | "interrupted";
  readonly images: readonly Picture[];
  readonly time?: string;
}

/** What a program has of a conversation and does not hand over, in numbers. */
export interface LeftBehind {
  /** Texts that the program adds for its model. */
  readonly reminders: number;
  /** Turns that the summary stands for, or that the model no longer receives. */
  readonly earlierTurns: number;
  /** Calls that sub-agents made. */
  readonly agentCalls: number;
  /** Pictures whose bytes are not here, or are no picture. */
  readonly images: number;
  /** Attachments that name no file. */
  readonly attachments: number;
}

/** What stands for the result of a call that never gave one. */
export const NO_RESULT =
  "This call was interrupted before its result was recorded. Check whether it took effect before relying on it or running it again.";
