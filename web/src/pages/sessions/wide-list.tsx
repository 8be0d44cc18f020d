/** The sessions as a table with a cell for everything one compares them by. */
import { useCallback, useRef } from "react";
import { toKey } from "../../lib/session-key.ts";
import type { Filters } from "../../router.tsx";
import type { Selection } from "./selection.ts";
import type { SessionRow as Row, Sort } from "./session-query.ts";
import css from "./session-row.module.css";
import { HEADER_HEIGHT, HEADING_HEIGHT, HeaderRow, ROW_HEIGHT, rowId, SessionRow } from "./session-row.tsx";
import type { SessionList } from "./use-list.ts";
import { useLiveness } from "./use-live.ts";
import { styleOf, VirtualList } from "./virtual-list.tsx";

export function WideList({
  list,
  filters,
  selection,
  onSort,
}: {
  readonly list: SessionList;
  readonly filters: Filters;
  /** Where several can be selected. */
  readonly selection?: Selection;
  readonly onSort: (sort: Sort) => void;
}) {
  const livenessOf = useLiveness();
  const select = (session: Row, isRange: boolean): void => {
    list.setHere(toKey(session));
    selection?.toggle(session, isRange);
  };
  const latest = useRef(select);
  latest.current = select;
  const onSelect = useCallback((session: Row, isRange: boolean) => latest.current(session, isRange), []);
  return (
    <VirtualList
      ref={list.list}
      isBusy={list.isPlaceholderData}
      table={{
        role: "grid",
        tabIndex: 0,
        "aria-label": "Sessions",
        "aria-rowcount": (list.total ?? list.sessions.length) + 1,
        "aria-multiselectable": selection !== undefined,
        "aria-activedescendant": list.session && rowId(list.session),
        head: <HeaderRow sort={list.sort} onSort={onSort} isHub={selection === undefined} />,
      }}
      items={list.items}
      rowHeight={ROW_HEIGHT}
      headingHeight={HEADING_HEIGHT}
      headerHeight={HEADER_HEIGHT}
      restoreAs="sessions"
      onNearEnd={list.onNearEnd}
      renderHeading={(label, { key, ...place }) => (
        <tr key={key} className={css.heading} style={styleOf(place)}>
          <td colSpan={7}>{label}</td>
        </tr>
      )}
      renderSession={({ session, at }, { key, top, height }) => (
        <SessionRow
          key={key}
          top={top}
          height={height}
          session={session}
          filters={filters}
          liveness={livenessOf(session)}
          index={at}
          isHere={toKey(session) === list.here}
          isSelected={selection?.has(session) ?? false}
          onSelect={selection && onSelect}
        />
      )}
    />
  );
}
