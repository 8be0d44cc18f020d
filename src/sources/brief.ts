/**
 * What logs are full of, told without an event for each: for sinks that make rows of thousands of logs. A reader that knows
 * the way tells so of what the main agent did, in the order of the conversation, and gives events of all else.
 */
import type { Origin, ToolAct, ToolCallEvent, ToolResultEvent } from "../model/session/session.ts";
import type { Counted } from "../model/session/usage.ts";

/** A record of the artifact's own file. */
export interface Place extends Pick<Origin, "line" | "start" | "end"> {
  /** ISO 8601. */
  readonly time: string;
}

export interface BriefCall extends Pick<ToolCallEvent, "callId" | "name" | "input"> {
  readonly label: string | undefined;
  readonly act: ToolAct | undefined;
}

export interface BriefResult extends Pick<ToolResultEvent, "callId" | "status" | "text"> {
  readonly exitCode: number | undefined;
  readonly cut: number;
}

export interface BriefSink {
  said(at: Place, text: string): void;
  thought(at: Place, text: string): void;
  called(at: Place, call: BriefCall): void;
  returned(at: Place, result: BriefResult): void;
  used(at: Place, usage: Counted): void;
}

/** The same sink, with what it throws given to `refuse`, which throws it again. Written out, as each is called for every record of a log. */
export function guarded(sink: BriefSink, refuse: (error: unknown) => never): BriefSink {
  return {
    said(at, text) {
      try {
        sink.said(at, text);
      } catch (error) {
        refuse(error);
      }
    },
    thought(at, text) {
      try {
        sink.thought(at, text);
      } catch (error) {
        refuse(error);
      }
    },
    called(at, call) {
      try {
        sink.called(at, call);
      } catch (error) {
        refuse(error);
      }
    },
    returned(at, result) {
      try {
        sink.returned(at, result);
      } catch (error) {
        refuse(error);
      }
    },
    used(at, usage) {
      try {
        sink.used(at, usage);
      } catch (error) {
        refuse(error);
      }
    },
  };
}
