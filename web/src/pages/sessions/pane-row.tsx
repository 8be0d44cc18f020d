/** A session on two lines, for a narrow list: what it is called and when it was, below that where and how long. */
import { Link } from "@tanstack/react-router";
import type { CSSProperties, ReactNode } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { toKey } from "../../lib/session-key.ts";
import { sourceOf } from "../../lib/sources.ts";
import { line, titleOf } from "../../lib/titles.ts";
import type { Filters } from "../../router.tsx";
import { SourceMark } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import css from "./pane-row.module.css";
import { LiveMark, ParentMark, ProblemMark } from "./row-marks.tsx";
import type { SessionRow } from "./session-query.ts";
import type { Liveness } from "./use-live.ts";

export const PANE_ROW_HEIGHT = 58;
export const PANE_HEADING_HEIGHT = 32;

export function PaneRow({
  session,
  filters,
  liveness,
  isCurrent,
  isHere,
  isReplacing = false,
  check,
  style,
  id,
}: {
  readonly session: SessionRow;
  /** They stay in the address. */
  readonly filters: Filters;
  readonly liveness: Liveness;
  /** The one that is open. */
  readonly isCurrent?: boolean;
  /** The one that the keys are at. */
  readonly isHere?: boolean;
  readonly isReplacing?: boolean;
  readonly check?: ReactNode;
  readonly style: CSSProperties;
  readonly id?: string;
}) {
  return (
    <div className={css.row} style={style} id={id} data-current={isCurrent} data-here={isHere}>
      {check ?? <SourceMark source={session.source} />}
      <Link
        className={css.title}
        to="/s/$key"
        params={{ key: toKey(session) }}
        search={filters}
        replace={isReplacing}
        aria-current={isCurrent ? "page" : undefined}
        preload={false}
      >
        {titleOf(session)}
      </Link>
      <span className={css.when}>
        {liveness === "live" ? <LiveMark state="live" /> : <Time at={session.updatedAt} isBrief />}
      </span>
      <span className={css.where}>
        {session.vanishedAt !== null || session.problemCount > 0 ? (
          <ProblemMark session={session} />
        ) : liveness === "open" ? (
          <LiveMark state="open" />
        ) : null}
        {session.parent ? <ParentMark session={session} /> : <Where session={session} />}
      </span>
      <span className={css.size}>{plural(session.turns, "turn", "turns")}</span>
    </div>
  );
}

function Where({ session: { branch, repository, source } }: { readonly session: SessionRow }) {
  return (
    <span className="ellipsis">
      {line([branch ?? repository, sourceOf(source).short].filter((part) => part !== null).join(" · "))}
    </span>
  );
}
