/** What is known of one event type: what it is to readers, what the program demands of it, and what may become of it. */

export type FieldKind = "string" | "integer" | "number" | "boolean" | "object" | "array" | "any";
export type Fields = Readonly<Record<string, FieldKind>>;

/** What a record is to those who read logs. Types without one are of no interest to them. */
export type Role =
  | "abort"
  | "agent-failure"
  | "agent-start"
  | "answer"
  | "call-start"
  | "clear"
  | "compaction"
  | "compaction-start"
  | "error"
  | "folder-change"
  | "handoff"
  | "info"
  | "mode-change"
  | "model-change"
  | "model-deselected"
  | "notification"
  | "plan-change"
  | "prompt"
  | "result"
  | "resume"
  | "shutdown"
  | "skill"
  | "start"
  | "text-delta"
  | "thought"
  | "thought-delta"
  | "truncation"
  | "turn-end"
  | "turn-start"
  | "usage"
  | "usage-count"
  | "user-call"
  | "warning";

/** A part that holds others: an object, or a list of objects. */
export interface Part {
  readonly kind: "object" | "array";
  /** For people, one of them. */
  readonly called: string;
  readonly requires: Fields;
}

export interface EventType {
  readonly role?: Role;
  /** A record that lacks one of these makes the program refuse the whole session. Fields it forgives are left out. */
  readonly requires?: Fields;
  /** Parts that may be absent, but are checked as strictly as the rest once they are there. */
  readonly allows?: Readonly<Record<string, FieldKind | Part>>;
  /**
   * What it goes with when a log is made smaller: the tool call that it names, or the compaction of which it tells how
   * it was made. A setting holds for all that follows, so it stays when its turn goes.
   */
  readonly goesWith?: "call" | "compaction" | "setting";
  /** Neither a reader nor the next model request needs it. The field that the program writes first; "" for any. */
  readonly skippedBy?: string;
  /** Of a record that was cut off, the text is worth having; half a compaction would hide what came before it. */
  readonly isWorthHalf?: true;
  /** Sent to those who listen, and never kept in a log. */
  readonly isEphemeral?: true;
}
