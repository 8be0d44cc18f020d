/** A time as people say it, with the exact one on hover. */
import { ago, briefly, moment } from "../../../src/present/text/measure.ts";
import { useNow } from "../lib/use-now.ts";

export function Time({
  at,
  isBrief = false,
}: {
  readonly at: string | null | undefined;
  /** For a column: "3d ago". */
  readonly isBrief?: boolean;
}) {
  const now = useNow();
  if (!at) return null;
  return (
    <time dateTime={at} title={moment(at)}>
      {isBrief ? briefly(at, now) : ago(at, now)}
    </time>
  );
}
