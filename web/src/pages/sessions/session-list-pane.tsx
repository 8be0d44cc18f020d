/** The list beside the session that is open: filter, facets, and two lines for each session. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { amount, plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { useShortcuts } from "../../keys/keys.ts";
import { toKey } from "../../lib/session-key.ts";
import { useStable } from "../../lib/use-stable.ts";
import type { Filters } from "../../router.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { useSteady } from "../../ui/use-steady.ts";
import { FacetMenus } from "./facet-menus.tsx";
import { FilterField } from "./filter-field.tsx";
import { useFilterText } from "./filter-text.ts";
import { type Narrow, NO_FILTERS } from "./filters.ts";
import { NarrowList } from "./narrow-list.tsx";
import { PANE_ROW_HEIGHT } from "./pane-row.tsx";
import css from "./session-list-pane.module.css";
import { type SessionRow, useFacets } from "./session-query.ts";
import { useList } from "./use-list.ts";

export function SessionListPane({ current }: { readonly current: string }) {
  const navigate = useNavigate();
  const { turn: _, find: __, ...inAddress } = useSearch({ from: "/s/$key" });
  const narrow: Narrow = (filters) =>
    void navigate({
      to: "/s/$key",
      params: { key: current },
      search: (before) => ({ ...before, ...filters }) as Filters,
      replace: true,
    });
  const [text, type] = useFilterText(inAddress.q, (q) => narrow({ q }));
  const { q: ___, ...others } = inAddress;
  const filters = useStable<Filters>(text.trim() === "" ? others : { ...others, q: text.trim() });
  const list = useList(filters);
  const facets = useFacets(filters);
  const open = (session: SessionRow | undefined): void => {
    if (session && toKey(session) !== current)
      // Walking through the list is one step of the back button.
      void navigate({ to: "/s/$key", params: { key: toKey(session) }, search: filters, replace: true });
  };
  const step = (by: number): void => open(list.move(by, list.indexOf(current)));
  useShortcuts([
    { keys: "j", label: "Next session", group: "Sessions", isKeyOnly: true, run: () => step(1) },
    { keys: "k", label: "Previous session", group: "Sessions", isKeyOnly: true, run: () => step(-1) },
  ]);

  // Once for each session, and not again when the list changes under the reader.
  const shown = useRef<string>(undefined);
  const place = list.placeOf(current);
  useEffect(() => {
    if (shown.current === current || place === undefined) return;
    list.list.current?.show(place, shown.current === undefined ? "center" : "auto");
    shown.current = current;
  }, [current, place, list.list]);

  const steady = useSteady();
  return (
    <nav className={css.pane} aria-label="Sessions" {...steady}>
      <div className={css.top}>
        <FilterField
          text={text}
          onType={type}
          label="Filter sessions"
          placeholder={list.total === undefined ? "Filter sessions" : `Filter ${amount(list.total)} sessions`}
          moves={{ move: list.move, open: () => list.choose(open) }}
        />
        <FacetMenus filters={others} facets={facets} narrow={narrow} />
      </div>
      {list.isError && list.sessions.length === 0 ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Skeleton rows={10} height={PANE_ROW_HEIGHT} />
      ) : list.sessions.length === 0 ? (
        <div className={css.none}>
          <p>No session matches.</p>
          <button type="button" onClick={() => narrow(NO_FILTERS)}>
            Show all
          </button>
        </div>
      ) : (
        <NarrowList list={list} filters={filters} current={current} restoreAs="session-pane" />
      )}
      <span className="sr-only" role="status">
        {text !== "" && list.total !== undefined && plural(list.total, "session matches", "sessions match")}
      </span>
    </nav>
  );
}
