/** The sessions on two lines each, where there is no room for a table. */
import { toKey } from "../../lib/session-key.ts";
import type { Filters } from "../../router.tsx";
import css from "./pane-row.module.css";
import { PANE_HEADING_HEIGHT, PANE_ROW_HEIGHT, PaneRow } from "./pane-row.tsx";
import type { SessionList } from "./use-list.ts";
import { useLiveness } from "./use-live.ts";
import { styleOf, VirtualList } from "./virtual-list.tsx";

export function NarrowList({
  list,
  filters,
  current,
  restoreAs = "sessions",
}: {
  readonly list: SessionList;
  readonly filters: Filters;
  /** The one that is open. */
  readonly current?: string;
  readonly restoreAs?: string;
}) {
  const livenessOf = useLiveness();
  return (
    <VirtualList
      ref={list.list}
      isBusy={list.isPlaceholderData}
      items={list.items}
      rowHeight={PANE_ROW_HEIGHT}
      headingHeight={PANE_HEADING_HEIGHT}
      restoreAs={restoreAs}
      onNearEnd={list.onNearEnd}
      renderHeading={(label, { key, ...place }) => (
        <h2 key={key} className={css.heading} style={styleOf(place)}>
          {label}
        </h2>
      )}
      renderSession={({ session }, { key, top, height }) => (
        <PaneRow
          key={key}
          top={top}
          height={height}
          session={session}
          filters={filters}
          liveness={livenessOf(session)}
          isCurrent={toKey(session) === current}
          isHere={toKey(session) === list.here && list.here !== current}
        />
      )}
    />
  );
}
