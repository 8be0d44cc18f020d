/** All sessions: filtered as one types, by facet, sorted, and several at once where they can be changed. */
import { Link, useNavigate } from "@tanstack/react-router";
import { type ComponentType, useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { unreachableText } from "../../../../src/present/text/unreachable.ts";
import { Failure } from "../../change/failure.tsx";
import { toKey } from "../../lib/session-key.ts";
import { line } from "../../lib/titles.ts";
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
import { type ListKeys, useMoveKeys } from "./list-keys.ts";
import { NarrowList } from "./narrow-list.tsx";
import { useSelection } from "./selection.ts";
import type { SelectionBarProps } from "./selection-bar.tsx";
import { askForAll, type SessionRow as Row, type Sort, useFacets } from "./session-query.ts";
import { ROW_HEIGHT } from "./session-row.tsx";
import css from "./sessions.module.css";
import { SortMenu } from "./sort-menu.tsx";
import { useList } from "./use-list.ts";
import { WideList } from "./wide-list.tsx";

/** What depends on who serves the pages. */
export interface SessionsParts {
  /** What can be done with selected sessions; without it, none can be selected. */
  readonly SelectionBar?: ComponentType<SelectionBarProps>;
  readonly useKeys: (keys: ListKeys) => void;
  /** Stands where there is no session at all. */
  readonly None: ComponentType;
  /** What the filter looks at. */
  readonly placeholder: string;
}

export function SessionsView({
  parts: { SelectionBar, useKeys, None, placeholder },
}: {
  readonly parts: SessionsParts;
}) {
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
  useMoveKeys(list, open);
  useKeys({ list, selection, selectAll: () => void selectAll() });

  const count =
    list.total === undefined
      ? ""
      : isFiltered
        ? plural(list.total, "session matches", "sessions match")
        : plural(list.total, "session", "sessions");
  const missing = unreachableText(list.unreachable);
  return (
    <div className={css.view} {...steady}>
      {!isNarrow && (isFiltered || list.total !== 0) && (
        <FacetPanel filters={others} facets={facets} narrow={narrow} hasStates={SelectionBar !== undefined} />
      )}
      <section className={css.column} aria-label="Sessions">
        <header className={css.header}>
          <div className={css.heading}>
            <h1>Sessions</h1>
            <span role="status" className={css.count}>
              {missing === undefined ? count : line(`${count}, ${missing}`)}
            </span>
            {SelectionBar && isNarrow && list.sessions.length > 0 && (
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
                placeholder={placeholder}
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
            <None />
          )
        ) : isNarrow ? (
          <NarrowList
            list={list}
            filters={filters}
            {...(SelectionBar && {
              picking: {
                isOn: isPicking,
                selection,
                onPick: (session: Row) => {
                  setPicking(true);
                  selection.toggle(session, false);
                },
              },
            })}
          />
        ) : (
          <WideList list={list} filters={filters} {...(SelectionBar && { selection })} onSort={onSort} />
        )}
        {SelectionBar && (
          <SelectionBar
            selection={selection}
            total={list.total ?? 0}
            onSelectAll={() => void selectAll()}
            onCompare={compare}
            onClear={stopPicking}
          />
        )}
      </section>
    </div>
  );
}
