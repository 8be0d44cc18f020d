/** How long a turn waits for results that come late before it is shown. */
import type { Part } from "../model/turns.ts";

/** How many turns wait for a tool result that comes late; beyond that a call is shown as unanswered. */
export const MOST_WAITING = 16;

export const isSettled = (parts: readonly Part[]): boolean =>
  parts.every((part) => part.kind !== "tool" || part.status !== "pending");
