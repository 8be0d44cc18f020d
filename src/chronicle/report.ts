/** What all reports share: how a session is named in them, and the time that they are about. */
import type { RangedSession } from "../store/chronicle/range.ts";

/** A session as reports name it. */
export interface ReportedSession {
  readonly source: string;
  readonly id: string;
  readonly title: string;
}

export interface ReportRange {
  readonly since: Date;
  readonly until: Date;
}

/** Where something was seen. */
export interface Evidence {
  readonly session: ReportedSession;
  /** Counted from 0; null where it is about the session as a whole. */
  readonly turn: number | null;
  /** What was seen there, in a few words. */
  readonly detail?: string;
}

/** Takes keys and passwords out of what people and agents wrote. */
export type Redact = (text: string) => string;

export const toReported = (
  { source, id, title }: Pick<RangedSession, "source" | "id" | "title">,
  redact: Redact,
): ReportedSession => ({ source, id, title: redact(title) });
