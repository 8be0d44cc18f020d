/** What a session says it came from: the one that it is a fork of, or one of another program. */
import { sourceOf } from "../../lib/sources.ts";
import { titleOf } from "../../lib/titles.ts";
import { parentText } from "../../pages/sessions/row-marks.tsx";
import type { SessionRow } from "../../pages/sessions/session-query.ts";

/** "handed over from Checkout loses the coupon (Claude Code)" */
export function originText({
  parent,
  handedFrom,
}: Pick<SessionRow, "parent" | "handedFrom">): string | undefined {
  if (parent || !handedFrom) return parentText({ parent });
  const { short } = sourceOf(handedFrom.source);
  return handedFrom.title === undefined
    ? `handed over from ${short}`
    : `handed over from ${titleOf({ title: handedFrom.title })} (${short})`;
}
