/** The sessions on two lines each, where there is no room for a table. */
import { useCallback, useRef } from "react";
import { toKey } from "../../lib/session-key.ts";
import type { Filters } from "../../router.tsx";
import css from "./pane-row.module.css";
import { PANE_HEADING_HEIGHT, PANE_ROW_HEIGHT, PaneRow } from "./pane-row.tsx";
import type { Selection } from "./selection.ts";
import type { SessionRow } from "./session-query.ts";
import type { SessionList } from "./use-list.ts";
import { useLiveness } from "./use-live.ts";
import { useLongPress } from "./use-long-press.ts";
import { styleOf, VirtualList } from "./virtual-list.tsx";

export function NarrowList({
  list,
  filters,
  current,
  restoreAs = "sessions",
  picking,
}: {
  readonly list: SessionList;
  readonly filters: Filters;
  /** The one that is open. */
  readonly current?: string;
  readonly restoreAs?: string;
  /** Where several can be selected. */
  readonly picking?: Picking;
}) {
  const livenessOf = useLiveness();
  const pick = useRef<Picking["onPick"]>(undefined);
  pick.current = picking?.onPick;
  const onSelect = useCallback((session: SessionRow) => pick.current?.(session), []);
  const press = useLongPress((target) => {
    const key = target.closest<HTMLElement>("[data-key]")?.dataset.key;
    const item = key === undefined ? undefined : list.items[list.placeOf(key) ?? -1];
    if (item?.kind === "session") picking?.onPick(item.session);
  });
  const rows = (
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
          {...(picking?.isOn && { isSelected: picking.selection.has(session), onSelect })}
        />
      )}
    />
  );
  if (!picking) return rows;
  return (
    <div className={css.pressable} {...press}>
      {rows}
    </div>
  );
}

interface Picking {
  /** Each row is a box to check, instead of a link. */
  readonly isOn: boolean;
  readonly selection: Selection;
  /** Selects it, or not any more. */
  readonly onPick: (session: SessionRow) => void;
}
