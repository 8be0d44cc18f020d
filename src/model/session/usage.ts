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

/** The same with fields that are there and not known. */
export type Counted = { readonly [Field in keyof Usage]: Usage[Field] | undefined };

/**
 * Keeps only the known numbers. Field by field, as there is a record for every call of a model: by a list of names, it
 * would take as long as to parse the record.
 */
export function toUsage(counted: Counted): Writable<Usage> {
  const usage: Writable<Usage> = {};
  if (counted.model !== undefined) usage.model = counted.model;
  if (counted.input !== undefined) usage.input = counted.input;
  if (counted.output !== undefined) usage.output = counted.output;
  if (counted.cached !== undefined) usage.cached = counted.cached;
  if (counted.cacheWritten !== undefined) usage.cacheWritten = counted.cacheWritten;
  if (counted.reasoning !== undefined) usage.reasoning = counted.reasoning;
  if (counted.durationMs !== undefined) usage.durationMs = counted.durationMs;
  if (counted.firstTokenMs !== undefined) usage.firstTokenMs = counted.firstTokenMs;
  if (counted.firstOutputMs !== undefined) usage.firstOutputMs = counted.firstOutputMs;
  if (counted.betweenTokensMs !== undefined) usage.betweenTokensMs = counted.betweenTokensMs;
  if (counted.initiator !== undefined) usage.initiator = counted.initiator;
  if (counted.endpoint !== undefined) usage.endpoint = counted.endpoint;
  if (counted.effort !== undefined) usage.effort = counted.effort;
  if (counted.finish !== undefined) usage.finish = counted.finish;
  if (counted.filtered !== undefined) usage.filtered = counted.filtered;
  if (counted.multiplier !== undefined) usage.multiplier = counted.multiplier;
  if (counted.nanoCredits !== undefined) usage.nanoCredits = counted.nanoCredits;
  if (counted.billedModel !== undefined) usage.billedModel = counted.billedModel;
  if (counted.details !== undefined) usage.details = counted.details;
  if (counted.subAgent !== undefined) usage.subAgent = counted.subAgent;
  if (counted.call !== undefined) usage.call = counted.call;
  return usage;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
