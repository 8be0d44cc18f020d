/**
 * The usage of one model call, as far as the vendor recorded it; the columns of Copilot CLI's `assistant_usage_events`.
 */
export interface Usage {
  readonly model?: string;
  /** Tokens, as the vendor counts them: Claude Code's input leaves out what the cache had, the others' includes it. */
  readonly input?: number;
  readonly output?: number;
  /** Read from the cache of prompts, and written to it. */
  readonly cached?: number;
  readonly cacheWritten?: number;
  readonly reasoning?: number;
  readonly durationMs?: number;
  readonly firstTokenMs?: number;
  readonly firstOutputMs?: number;
  readonly betweenTokensMs?: number;
  /** Who made the call: the user, or the agent on its own. */
  readonly initiator?: string;
  readonly endpoint?: string;
  readonly effort?: string;
  /** Why the answer ended. */
  readonly finish?: string;
  readonly filtered?: boolean;
  /** The price: as a multiple of a request, in billionths of a credit, and of which model. */
  readonly multiplier?: number;
  readonly nanoCredits?: number;
  readonly billedModel?: string;
  /** The vendor's own breakdown of the tokens, as JSON. */
  readonly details?: string;
  /** The vendor's name for the sub-agent that made the call. */
  readonly subAgent?: string;
  /** The same wherever this very call is recorded again, as in a fork; see `callKey`. */
  readonly call?: number;
}

const FIELDS = [
  "model",
  "input",
  "output",
  "cached",
  "cacheWritten",
  "reasoning",
  "durationMs",
  "firstTokenMs",
  "firstOutputMs",
  "betweenTokensMs",
  "initiator",
  "endpoint",
  "effort",
  "finish",
  "filtered",
  "multiplier",
  "nanoCredits",
  "billedModel",
  "details",
  "subAgent",
  "call",
] as const satisfies readonly (keyof Usage)[];

type Counted = { readonly [Field in keyof Usage]: Usage[Field] | undefined };

/** Keeps only the known numbers. */
export function toUsage(counted: Counted): Usage {
  const usage: Partial<Record<keyof Usage, unknown>> = {};
  for (const field of FIELDS) if (counted[field] !== undefined) usage[field] = counted[field];
  return usage as Usage;
}
