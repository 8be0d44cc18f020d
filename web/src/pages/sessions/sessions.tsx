/** All sessions: filtered as one types, by facet, sorted, and several at once. */
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { toKey } from "../../lib/session-key.ts";
import { useNarrow } from "../../lib/use-media.ts";
import { useStable } from "../../lib/use-stable.ts";
import { type Filters, sessionsRoute } from "../../router.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useSteady } from "../../ui/use-steady.ts";
import { Chips } from "./chips.tsx";
import { FacetMenus } from "./facet-menus.tsx";
import { FacetPanel } from "./facet-panel.tsx";
import { FilterField } from "./filter-field.tsx";
import { useFilterText } from "./filter-text.ts";
import { chipsOf, type Narrow, NO_FILTERS } from "./filters.ts";
import { useListKeys } from "./list-keys.ts";
import { NarrowList } from "./narrow-list.tsx";
import { NoSessions } from "./no-sessions.tsx";
import { useSelection } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { askForAll, type SessionRow as Row, type Sort, useFacets } from "./session-query.ts";
import { ROW_HEIGHT } from "./session-row.tsx";
import css from "./sessions.module.css";
import { SortMenu } from "./sort-menu.tsx";
import { useList } from "./use-list.ts";
import { WideList } from "./wide-list.tsx";

export function Sessions() {
  const navigate = useNavigate();
  const isNarrow = useNarrow();
  const inAddress = sessionsRoute.useSearch();
  const narrow: Narrow = (filters) =>
    void navigate({
      to: "/sessions",
      search: (before) => ({ ...before, ...filters }) as Filters,
      // Typing is not a step of the back button; choosing is.
      replace: Object.keys(filters).length === 1 && "q" in filters,
    });
  const [text, type] = useFilterText(inAddress.q, (q) => narrow({ q }));
  const { q: _, ...others } = inAddress;
  const filters = useStable<Filters>(text.trim() === "" ? others : { ...others, q: text.trim() });
  const list = useList(filters);
  const facets = useFacets(filters);
  const selection = useSelection(list.sessions);
  /** Where rows have no boxes of their own, they get some while one selects. */
  const [isPicking, setPicking] = useState(false);
  const stopPicking = (): void => {
    setPicking(false);
    selection.clear();
  };
  const isFiltered = text.trim() !== "" || chipsOf(others).length > 0;

  const open = (session: Row | undefined): void => {
    if (session) void navigate({ to: "/s/$key", params: { key: toKey(session) }, search: filters });
  };
  const onSort = (sort: Sort): void => narrow({ sort: sort === "active" ? undefined : sort });
  const selectAll = async (): Promise<void> => {
    try {
      selection.replace(await askForAll(filters));
    } catch {
      toast({ text: "Not all sessions could be selected", isError: true });
    }
  };
  const compare = (): void => {
    const [a, b] = selection.sessions;
    if (a && b && selection.sessions.length === 2)
      void navigate({ to: "/diff", search: { a: toKey(a), b: toKey(b) } });
  };
  const steady = useSteady();
  useListKeys({ list, selection, open, selectAll: () => void selectAll() });

  const count =
    list.total === undefined
      ? ""
      : isFiltered
        ? plural(list.total, "session matches", "sessions match")
        : plural(list.total, "session", "sessions");
  return (
    <div className={css.view} {...steady}>
      {!isNarrow && (isFiltered || list.total !== 0) && (
        <FacetPanel filters={others} facets={facets} narrow={narrow} hasStates />
      )}
      <section className={css.column} aria-label="Sessions">
        <header className={css.header}>
          <div className={css.heading}>
            <h1>Sessions</h1>
            <span role="status" className={css.count}>
              {count}
            </span>
            {isNarrow && list.sessions.length > 0 && (
              <button
                type="button"
                className={css.select}
                aria-pressed={isPicking}
                onClick={() => (isPicking ? stopPicking() : setPicking(true))}
              >
                {isPicking ? "Done" : "Select"}
              </button>
            )}
          </div>
          <div className={css.tools}>
            <div className={css.filter}>
              <FilterField
                text={text}
                onType={type}
                label="Filter sessions"
                placeholder="Filter by title, repository, branch, folder or first prompt"
                moves={{ move: list.move, open: () => list.choose(open) }}
              />
            </div>
            <SortMenu sort={list.sort} onSort={onSort} />
          </div>
          <div className={css.menus}>
            <FacetMenus filters={others} facets={facets} narrow={narrow} />
          </div>
          <div className={css.chips}>
            <Chips filters={others} narrow={narrow} />
          </div>
        </header>
        {list.isError && list.sessions.length === 0 ? (
          <Failure error={list.error} retry={() => void list.refetch()} />
        ) : list.isPending ? (
          <Skeleton rows={14} height={ROW_HEIGHT} />
        ) : list.sessions.length === 0 ? (
          isFiltered ? (
            <Empty
              title="No session matches"
              action={<Button onClick={() => narrow(NO_FILTERS)}>Show all sessions</Button>}
            >
              {text.trim() !== "" && (
                <>
                  Titles, repositories, branches, folders and first prompts were looked at.{" "}
                  <Link className={css.link} to="/search" search={{ q: text.trim() }}>
                    Search everything that was said
                  </Link>
                </>
              )}
            </Empty>
          ) : (
            <NoSessions />
          )
        ) : isNarrow ? (
          <NarrowList
            list={list}
            filters={filters}
            picking={{
              isOn: isPicking,
              selection,
              onPick: (session) => {
                setPicking(true);
                selection.toggle(session, false);
              },
            }}
          />
        ) : (
          <WideList list={list} filters={filters} selection={selection} onSort={onSort} />
        )}
        <SelectionBar
          selection={selection}
          total={list.total ?? 0}
          onSelectAll={() => void selectAll()}
          onCompare={compare}
          onClear={stopPicking}
        />
      </section>
    </div>
  );
}
