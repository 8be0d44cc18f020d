/** The types of the event writer. */
import { AppError } from "../../../model/errors.ts";
import { reasonOf, type SessionFs } from "../../../platform/fs/session-fs.ts";
import type { CopilotEvent, NewEvent } from "./event.ts";

export interface EventWriterOptions {
  readonly fs: SessionFs;
  /** The session's own folder; made with the first line. */
  readonly folder: string;
  /** Called for every attempt that failed; its events stay in the queue and are retried. */
  readonly onFailure: (failure: WriteFailure) => void;
  /** So long a pause in the events is waited for before they are written, but never longer than a second (100 ms). */
  readonly delayMs?: number;
  /** When more bytes wait than this, `write` resolves only when they have become fewer (4 MiB). */
  readonly maxPendingBytes?: number;
  readonly now?: () => Date;
  /** UUIDs for events that bring none. */
  readonly newId?: () => string;
  /** Leave workspace.yaml and checkpoints to somebody else; so only when this is false. */
  readonly sidecars?: boolean;
}

export interface WriteFailure {
  readonly error: Error;
  /** Events that are not written yet. */
  readonly pending: number;
  /** When the next attempt is made. */
  readonly retryInMs: number;
}

export interface EventWriter {
  /**
   * Puts the event in line at once, so that calls keep their order, and resolves when there is room for another. Rejects,
   * and takes nothing, when Copilot CLI would refuse a session with this event.
   */
  write(event: NewEvent): Promise<void>;
  /** Keeps the session's plan (plan.md), and the event that says so; without a text, the plan is removed. */
  plan(text: string | undefined): Promise<void>;
  /** Keeps a file of the session below `files/`, and the event that says so; without content, it is removed. */
  file(name: string, content: string | Uint8Array | undefined): Promise<void>;
  /** Writes now; rejects when that fails, and then keeps retrying. */
  flush(): Promise<void>;
  /** Resolves when everything is written; rejects with `UnwrittenEvents` when that did not succeed in time (10 s). */
  close(withinMs?: number): Promise<void>;
  /** Events that are not written yet. */
  pending(): number;
  /** The half record that a crash had left at the end of the log; it was taken off. */
  readonly torn?: string;
}

/** A writer was closed, and these events are in no log. One or the other may still get there if its write only hangs. */
export class UnwrittenEvents extends AppError {
  readonly events: readonly CopilotEvent[];
  constructor(events: readonly CopilotEvent[], path: string, cause: unknown) {
    const why = cause === undefined ? "the file system does not answer" : reasonOf(cause);
    super(
      "write-failed",
      `${events.length === 1 ? "1 event" : `${events.length} events`} could not be written to ${path}: ${why}`,
      "They are in `events` of this error: write them with a new writer when the file system works again",
      cause,
    );
    this.events = events;
  }
}
