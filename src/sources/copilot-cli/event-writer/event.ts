/** One line of a Copilot CLI log, as applications that write such logs see it. */

export interface CopilotEvent {
  readonly type: string;
  readonly data: object;
  /** A UUID. */
  readonly id: string;
  /** ISO 8601, with a timezone. */
  readonly timestamp: string;
  /** The line before it; null for the first. */
  readonly parentId: string | null;
  /** Set on the work of a sub-agent. */
  readonly agentId?: string;
  /** For those who listen now; never kept. */
  readonly ephemeral?: boolean;
}

/** What happened. What else a line needs is given to it; its place in the chain always is. */
export interface NewEvent {
  readonly type: string;
  readonly data: object;
  readonly id?: string;
  readonly timestamp?: string;
  readonly parentId?: string | null;
  readonly agentId?: string;
  readonly ephemeral?: boolean;
}
