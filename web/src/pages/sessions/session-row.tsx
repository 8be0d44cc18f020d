/** A session on one line of the wide list: a cell for each thing one compares sessions by. */
import { type MouseEvent, memo } from "react";
import { amount, bytes } from "../../../../src/present/text/measure.ts";
import { toKey } from "../../lib/session-key.ts";
import { line, titleOf } from "../../lib/titles.ts";
import type { Filters } from "../../router.tsx";
import { RowTags } from "../../tags/tags.tsx";
import { SourceMark } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import { folderName } from "./filters.ts";
import { RowLink } from "./row-link.tsx";
import { LiveMark, ParentMark, ProblemMark, SharingMark } from "./row-marks.tsx";
import type { SessionRow as Row, Sort } from "./session-query.ts";
import css from "./session-row.module.css";
import type { Liveness } from "./use-live.ts";
import { styleOf } from "./virtual-list.tsx";

export const ROW_HEIGHT = 40;
export const HEADING_HEIGHT = 34;
export const HEADER_HEIGHT = 34;

export const rowId = (session: { source: string; id: string }): string => `row-${toKey(session)}`;

interface Column {
  readonly label: string;
  readonly css?: string;
  readonly sort?: Sort;
}

const COLUMNS: readonly Column[] = [
  { label: "Title", sort: "title" },
  { label: "Repository" },
  { label: "Model", css: "model" },
  { label: "Turns", css: "turns", sort: "turns" },
  { label: "Size", css: "size", sort: "size" },
  { label: "Last active", css: "active", sort: "active" },
];

/** On a hub, whose sessions they are matters, and who sees them. */
const HUB_COLUMNS: readonly Column[] = COLUMNS.map((column) =>
  column.label === "Size" ? { label: "Seen by", css: "size" } : column,
);

export function HeaderRow({
  sort,
  onSort,
  isHub,
}: {
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly isHub: boolean;
}) {
  return (
    <thead className={css.header}>
      <tr className={css.columns} aria-rowindex={1} data-hub={isHub || undefined}>
        <th scope="col">{isHub ? "Person" : <span className="sr-only">Selected</span>}</th>
        {(isHub ? HUB_COLUMNS : COLUMNS).map(({ label, css: name, sort: by }) => {
          const isSorted = by === sort;
          return (
            <th
              key={label}
              scope="col"
              className={name && css[name]}
              aria-sort={isSorted ? (by === "title" ? "ascending" : "descending") : undefined}
            >
              {by ? (
                <button type="button" tabIndex={-1} data-on={isSorted} onClick={() => onSort(by)}>
                  {label}
                </button>
              ) : (
                label
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

export const SessionRow = memo(function SessionRow({
  session,
  filters,
  liveness,
  index,
  isHere,
  isSelected,
  onSelect,
  top,
  height,
}: {
  readonly session: Row;
  readonly filters: Filters;
  readonly liveness: Liveness;
  /** Among the rows, from 0. */
  readonly index: number;
  readonly isHere: boolean;
  readonly isSelected: boolean;
  /** The same function for all rows, so that they need not be drawn again; none on a hub, where rows are only read. */
  readonly onSelect: ((session: Row, isRange: boolean) => void) | undefined;
  readonly top: number;
  readonly height: number;
}) {
  const onCheck = (event: MouseEvent): void => onSelect?.(session, event.shiftKey);
  const { branch, workspace } = session;
  // Whose repository it is says the least about where the work was.
  const repository =
    session.repository?.split("/").pop() ?? (workspace === null ? null : folderName(workspace));
  return (
    <tr
      id={rowId(session)}
      aria-rowindex={index + 2}
      aria-selected={onSelect ? isSelected : isHere}
      data-hub={onSelect ? undefined : true}
      className={`${css.row} ${css.columns}`}
      data-here={isHere || undefined}
      data-selected={isSelected || undefined}
      style={styleOf({ top, height, isSticky: false })}
    >
      {onSelect ? (
        <td className={css.check}>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${titleOf(session)}`}
            checked={isSelected}
            onClick={onCheck}
            readOnly
          />
        </td>
      ) : (
        <td className={css.person}>
          <span className="ellipsis" title={line(session.person ?? "")}>
            {line(session.person ?? "")}
          </span>
        </td>
      )}
      <td className={css.main}>
        <SourceMark source={session.source} />
        <RowLink
          className={css.title}
          session={session}
          filters={filters}
          isReachable={false}
          title={titleOf(session)}
        >
          {titleOf(session)}
        </RowLink>
        {liveness === "open" && <LiveMark state="open" />}
        <ProblemMark session={session} />
        <ParentMark session={session} />
        <RowTags tags={session.tags} />
      </td>
      <td
        className={css.where}
        title={line([session.repository, branch, workspace].filter(Boolean).join(" · "))}
      >
        <span className="ellipsis">{line(repository ?? "")}</span>
        {branch !== null && <span className={css.branch}>{line(branch)}</span>}
      </td>
      <td className={css.model}>
        <span className="ellipsis">{line(session.models.join(", "))}</span>
      </td>
      <td className={css.turns}>{amount(session.turns)}</td>
      <td className={css.size}>
        {session.sharing === undefined ? bytes(session.bytes) : <SharingMark session={session} />}
      </td>
      <td className={css.active}>
        {liveness === "live" ? <LiveMark state="live" /> : <Time at={session.updatedAt} isBrief />}
      </td>
    </tr>
  );
});
