/** A session on two lines, for a narrow list: what it is called and when it was, below that where and how long. */
import { memo } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { toKey } from "../../lib/session-key.ts";
import { sourceOf } from "../../lib/sources.ts";
import { line, titleOf } from "../../lib/titles.ts";
import type { Filters } from "../../router.tsx";
import { RowTags } from "../../tags/tags.tsx";
import { SourceMark } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import css from "./pane-row.module.css";
import { RowLink } from "./row-link.tsx";
import { LiveMark, ParentMark, ProblemMark, SharingMark } from "./row-marks.tsx";
import type { SessionRow } from "./session-query.ts";
import type { Liveness } from "./use-live.ts";
import { styleOf } from "./virtual-list.tsx";

export const PANE_ROW_HEIGHT = 58;
export const PANE_HEADING_HEIGHT = 32;

export const PaneRow = memo(function PaneRow({
  session,
  filters,
  liveness,
  isCurrent,
  isHere,
  isSelected,
  onSelect,
  top,
  height,
}: {
  readonly session: SessionRow;
  /** They stay in the address. */
  readonly filters: Filters;
  readonly liveness: Liveness;
  /** The one that is open. */
  readonly isCurrent: boolean;
  /** The one that the keys are at. */
  readonly isHere: boolean;
  readonly isSelected?: boolean;
  /** Makes the row a box to check; the same function for all rows. */
  readonly onSelect?: (session: SessionRow) => void;
  readonly top: number;
  readonly height: number;
}) {
  return (
    <div
      className={css.row}
      style={styleOf({ top, height, isSticky: false })}
      data-current={isCurrent}
      data-here={isHere}
      data-selected={isSelected}
      data-key={toKey(session)}
    >
      <SourceMark source={session.source} />
      {onSelect ? (
        <label className={css.title}>
          <input
            type="checkbox"
            className={css.check}
            checked={isSelected === true}
            onChange={() => onSelect(session)}
          />
          {titleOf(session)}
        </label>
      ) : (
        <RowLink className={css.title} session={session} filters={filters} isCurrent={isCurrent}>
          {titleOf(session)}
        </RowLink>
      )}
      <span className={css.when}>
        {liveness === "live" ? <LiveMark state="live" /> : <Time at={session.updatedAt} isBrief />}
      </span>
      <span className={css.where}>
        {session.person === undefined && (session.vanishedAt !== null || session.problemCount > 0) ? (
          <ProblemMark session={session} />
        ) : liveness === "open" ? (
          <LiveMark state="open" />
        ) : null}
        <SharingMark session={session} isBrief />
        {session.parent ? <ParentMark session={session} /> : <Where session={session} />}
        <RowTags tags={session.tags} most={1} />
      </span>
      <span className={css.size}>{plural(session.turns, "turn", "turns")}</span>
    </div>
  );
});

function Where({ session: { branch, repository, source, person } }: { readonly session: SessionRow }) {
  return (
    <span className="ellipsis">
      {line(
        (person === undefined
          ? [branch ?? repository, sourceOf(source).short]
          : [person, repository?.split("/").pop() ?? sourceOf(source).short]
        )
          .filter((part) => part !== null)
          .join(" · "),
      )}
    </span>
  );
}
