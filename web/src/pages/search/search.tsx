/** Search in everything that was said, as one types. */
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { toKey } from "../../lib/session-key.ts";
import { useDebounced } from "../../lib/use-debounced.ts";
import { useMedia } from "../../lib/use-media.ts";
import { searchRoute } from "../../router.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { useSteady } from "../../ui/use-steady.ts";
import { Chips } from "../sessions/chips.tsx";
import { FacetMenus } from "../sessions/facet-menus.tsx";
import { FacetPanel } from "../sessions/facet-panel.tsx";
import { useFilterText } from "../sessions/filter-text.ts";
import { chipsOf, type Narrow, NO_FILTERS } from "../sessions/filters.ts";
import { HitList, rowsOf, useUnfolded } from "./hit-list.tsx";
import { remarksOn } from "./hit-words.ts";
import { Preview } from "./preview.tsx";
import css from "./search.module.css";
import { SearchField } from "./search-field.tsx";
import { SearchHelp } from "./search-help.tsx";
import { type Hit, type SearchFilters, useHits, useSearchFacets } from "./search-query.ts";
import { FileFilter, RoleFilter, SortChoice } from "./search-tools.tsx";
import { useHitKeys } from "./use-hit-keys.ts";

/** Long enough not to ask for every letter, short enough not to be noticed. */
const REST_MS = 80;

export function Search() {
  const navigate = useNavigate();
  const inAddress: SearchFilters = searchRoute.useSearch();
  const narrow: Narrow = (filters) =>
    void navigate({
      to: "/search",
      search: (before) => ({ ...before, ...filters }) as SearchFilters,
      replace: Object.keys(filters).length === 1 && "q" in filters,
    });
  const [text, type] = useFilterText(inAddress.q, (q) => narrow({ q }));
  const asked = useDebounced(text.trim(), REST_MS);
  const q = text.trim() === "" ? "" : asked;
  const { q: _, sort: __, ...filters } = inAddress;
  const hits = useHits(q, inAddress);
  const facets = useSearchFacets(q, inAddress);
  const [unfolded, unfold] = useUnfolded();
  const rows = rowsOf(hits.groups, unfolded);
  const [here, setHere] = useState<string>();
  const [isPreviewing, setPreviewing] = useState(false);
  const hasRoom = useMedia("(min-width: 900px)");
  const at = rows.findIndex(({ id }) => id === here);
  const current = rows[at];

  // Who types and presses Enter means what the words find, not what is still shown.
  const isBehind = q !== text.trim() || (q !== "" && (hits.isPending || hits.isPlaceholderData));
  const isWaiting = useRef(false);

  const open = (hit: Hit | undefined): void => {
    if (!hit) return;
    const search = hit.turn === null ? {} : { turn: hit.turn };
    void navigate({ to: "/s/$key", params: { key: toKey(hit.session) }, search });
  };
  const move = (by: number): void => {
    const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
    setHere(next?.id);
    if (next) document.getElementById(next.id)?.scrollIntoView({ block: "nearest" });
    // The next hits are there before one gets to them.
    if (at > rows.length - 8 && hits.hasNextPage && !hits.isFetchingNextPage) void hits.fetchNextPage();
  };
  const moves = {
    move,
    open: () => {
      if (isBehind) isWaiting.current = true;
      else open((current ?? rows[0])?.hit);
    },
    preview: () => {
      if (!hasRoom || rows.length === 0) return;
      if (!current) move(0);
      setPreviewing(true);
    },
    closePreview: () => setPreviewing(false),
    isPreviewing,
    hasCurrent: current !== undefined,
  };
  useHitKeys(moves);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the answer is there, and only then
  useEffect(() => {
    if (isBehind || !isWaiting.current) return;
    isWaiting.current = false;
    open(rows[0]?.hit);
  }, [isBehind]);
  // Another question begins at its first hit.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the question changes, and only then
  useEffect(() => setHere(undefined), [q]);

  const { first } = hits;
  const steady = useSteady();
  const isFiltered = chipsOf(filters).length > 0 || filters.role !== undefined;
  const clear = (): void =>
    narrow({ ...NO_FILTERS, q: inAddress.q, role: undefined, file: undefined, tool: undefined });
  return (
    <div
      className={css.view}
      {...steady}
      data-previewing={(isPreviewing && hasRoom && current !== undefined) || undefined}
    >
      <FacetPanel filters={filters} facets={facets} narrow={narrow} />
      <section className={css.column} aria-label="Search">
        <header className={css.header}>
          <h1 className="sr-only">Search</h1>
          <SearchField text={text} onType={type} moves={moves} current={current?.id} />
          <div className={css.tools}>
            <RoleFilter role={filters.role} narrow={narrow} />
            <FileFilter file={filters.file} narrow={narrow} />
            <SortChoice sort={inAddress.sort} narrow={narrow} />
          </div>
          <div className={css.menus}>
            <FacetMenus filters={filters} facets={facets} narrow={narrow} />
          </div>
          <div className={css.chips}>
            <Chips filters={filters} narrow={narrow} onClear={clear} />
          </div>
        </header>
        <div className={css.results} data-scroll-restoration-id="search">
          {q === "" ? (
            <SearchHelp onAsk={type} />
          ) : hits.isError && !first ? (
            <Failure error={hits.error} retry={() => void hits.refetch()} />
          ) : !first ? (
            <Skeleton rows={8} height={64} />
          ) : (
            <>
              <div className={css.remarks} role="status">
                {remarksOn(first).map((remark) => (
                  <p key={remark}>{remark}</p>
                ))}
                <span className="sr-only">
                  {plural(rows.length, "hit", "hits")} in {plural(hits.groups.length, "session", "sessions")}
                </span>
              </div>
              {hits.groups.length === 0 ? (
                <Nothing q={q} isFiltered={isFiltered} onClear={clear} />
              ) : (
                <HitList
                  groups={hits.groups}
                  unfolded={unfolded}
                  onUnfold={unfold}
                  here={here}
                  isBusy={hits.isPlaceholderData}
                  onPreview={(id) => {
                    setHere(id);
                    setPreviewing(true);
                  }}
                />
              )}
              {hits.hasNextPage && (
                <div className={css.more}>
                  <Button onClick={() => void hits.fetchNextPage()} disabled={hits.isFetchingNextPage}>
                    Show more
                  </Button>
                </div>
              )}
            </>
          )}
        </div>
      </section>
      {isPreviewing && hasRoom && current && (
        <Preview hit={current.hit} onClose={() => setPreviewing(false)} />
      )}
    </div>
  );
}

function Nothing({
  q,
  isFiltered,
  onClear,
}: {
  readonly q: string;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) {
  const title = !/[\p{L}\p{N}]/u.test(q)
    ? "Only letters and digits are searched for"
    : /^(-\S+\s*)+$/.test(q)
      ? "There is nothing to search for: the words are only left out"
      : `Nothing was found for “${q}”`;
  return (
    <Empty
      title={title}
      action={isFiltered ? <Button onClick={onClear}>Search without filters</Button> : undefined}
    >
      Try fewer words, or the start of a word: <code>begin*</code>
    </Empty>
  );
}
