/** Tree: which session came from which, over time; two of them can be compared. */

import { Link, useNavigate } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { GitCompareArrows, GitFork } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { useShortcuts } from "../../keys/keys.ts";
import { useNarrow } from "../../lib/use-media.ts";
import { treeRoute } from "../../router.tsx";
import { clean } from "../../text/clean.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CheckField } from "../../ui/field.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { useSteady } from "../../ui/use-steady.ts";
import { toLanes } from "./lanes.ts";
import { countOf, type Row, type SessionRow, toRows } from "./rows.ts";
import { SessionLine } from "./session-line.tsx";
import { Axis, Ticks, Timeline } from "./timeline.tsx";
import css from "./tree.module.css";
import { useEndInSight, useRelatives } from "./use-relatives.ts";
import { useWidth } from "./use-width.ts";

const LINE = 36;
/** Where the lane of a session is below its title, instead of beside it. */
const TALL_LINE = 58;
const LANE_FOOT = 13;
const HEAD = 48;

export function Tree() {
  const search = treeRoute.useSearch();
  const { tree, lone, error, more } = useRelatives(search);
  const [text, setText] = useState("");
  const words = useDeferredValue(text).trim();
  const families = tree.data?.families;
  const rows = useMemo(() => toRows(families ?? [], lone, words), [families, lone, words]);
  const members = (families ?? []).reduce((sum, family) => sum + countOf(family), 0);
  const navigate = useNavigate();
  const steady = useSteady();
  return (
    <div className={css.view} {...steady}>
      <header className={css.header}>
        <h1>Tree</h1>
        <span className={css.count} role="status">
          {families &&
            `${plural(members, "session", "sessions")} in ${plural(families.length, "family", "families")}`}
        </span>
        <span className={css.spring} />
        {search.session !== undefined ? (
          <Link to="/tree" className={buttonClass({ size: "small" })}>
            Show all families
          </Link>
        ) : (
          <CheckField
            label="Sessions without copies, too"
            isChecked={search.all === true}
            onCheck={(all) => void navigate({ to: "/tree", search: all ? { all } : {}, replace: true })}
          />
        )}
        <input
          className={css.filter}
          type="search"
          data-search
          placeholder="Filter by title"
          aria-label="Filter by title"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </header>
      {error ? (
        <Failure error={error} retry={() => void tree.refetch()} />
      ) : !families ? (
        <Skeleton rows={12} height={LINE} />
      ) : rows.length === 0 ? (
        <NoFamilies words={words} isOne={search.session !== undefined} />
      ) : (
        <Graph rows={rows} more={more} asked={search.session} words={words} />
      )}
    </div>
  );
}

function NoFamilies({ words, isOne }: { readonly words: string; readonly isOne: boolean }) {
  if (words !== "")
    return <Empty title={`No session here is called “${words}”`}>Only titles and ids are looked at.</Empty>;
  return (
    <Empty
      icon={<GitFork />}
      title={isOne ? "This session has no copies" : "No session came from another one yet"}
    >
      A fork continues from an earlier turn, a clone is a smaller or moved copy. Open a session and press{" "}
      <kbd>f</kbd> or <kbd>c</kbd> to make one.
    </Empty>
  );
}

function Graph({
  rows,
  more,
  asked,
  words,
}: {
  readonly rows: readonly Row[];
  readonly more: (() => void) | undefined;
  readonly asked: string | undefined;
  readonly words: string;
}) {
  const navigate = useNavigate();
  const scroller = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(area);
  const isNarrow = useNarrow();
  const lanes = useMemo(() => toLanes(rows), [rows]);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const firstAt = rows.findIndex(
    (row) => row.type === "session" && (asked === undefined || row.key === asked),
  );
  const [current, setCurrent] = useState(firstAt);
  const at = rows[current]?.type === "session" ? current : firstAt;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.type === "head" ? HEAD : isNarrow ? TALL_LINE : LINE),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
    scrollPaddingStart: 32,
    scrollPaddingEnd: 64,
  });
  // Filtering changes which rows are heads.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes follow from the rows
  useEffect(() => virtual.measure(), [rows, isNarrow]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what matches other words is read from its beginning
  useEffect(() => virtual.scrollToOffset(0), [words]);
  const items = virtual.getVirtualItems();
  useEndInSight((items.at(-1)?.index ?? 0) >= rows.length - 20, more);

  const choose = (key: string): void =>
    setChosen((before) =>
      before.includes(key)
        ? before.filter((each) => each !== key)
        : before.length < 2
          ? [...before, key]
          : before,
    );
  const focusRow = (index: number): void => {
    const row = rows[index];
    if (row?.type !== "session") return;
    setCurrent(index);
    virtual.scrollToIndex(index);
    requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.key)}"]`)
        ?.focus({ preventScroll: true }),
    );
  };
  const move = (by: 1 | -1): void => {
    let next = at + by;
    while (rows[next]?.type === "head") next += by;
    focusRow(next);
  };
  const here = rows[at] as SessionRow | undefined;
  const [a, b] = chosen;
  const compare = (): void => {
    if (a !== undefined && b !== undefined) void navigate({ to: "/diff", search: { a, b } });
  };
  const open = (): void => {
    if (here?.relative.isHere) void navigate({ to: "/s/$key", params: { key: here.key } });
  };
  useShortcuts([
    ...(["j", "down"] as const).map((keys) => ({
      keys,
      label: "Next session",
      group: "Tree",
      isKeyOnly: true,
      run: () => move(1),
    })),
    ...(["k", "up"] as const).map((keys) => ({
      keys,
      label: "Previous session",
      group: "Tree",
      isKeyOnly: true,
      run: () => move(-1),
    })),
    { keys: "enter", label: "Open the session", group: "Tree", isKeyOnly: true, run: open },
    {
      keys: "x",
      label: "Choose for comparing",
      group: "Tree",
      isKeyOnly: true,
      run: () => here?.relative.isHere && choose(here.key),
    },
    { keys: "d", label: "Compare the two chosen sessions", group: "Tree", run: compare },
  ]);

  return (
    <>
      <div ref={scroller} className={css.scroller}>
        <div className={css.top}>
          <span className={css.legend}>Choose two to compare them. Long pauses are drawn short.</span>
          <div ref={area} className={css.area}>
            <Axis lanes={lanes} width={width} />
          </div>
        </div>
        <div className={css.rows} style={{ minHeight: virtual.getTotalSize() }}>
          <ul aria-label="Sessions and what came from them">
            {items.map(({ index, start, size }) => {
              const row = rows[index];
              if (!row) return null;
              const style = { transform: `translateY(${start}px)`, height: size };
              if (row.type === "head")
                return (
                  <li key={row.key} className={css.family} style={style}>
                    <h2>{clean(row.title)}</h2>
                    <span>{plural(row.count, "session", "sessions")}</span>
                    {asked === undefined && row.session !== undefined && (
                      <Link to="/tree" search={{ session: row.session }} className={css.only}>
                        Only this family
                      </Link>
                    )}
                  </li>
                );
              const parent = row.parent === undefined ? undefined : rows[row.parent];
              const isChosen = chosen.includes(row.key);
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the link inside does the same
                <li
                  key={row.key}
                  className={css.item}
                  style={style}
                  onClick={(event) => {
                    if (!(event.target as HTMLElement).closest("a,input,button") && row.relative.isHere)
                      void navigate({ to: "/s/$key", params: { key: row.key } });
                  }}
                >
                  <SessionLine
                    row={row}
                    parentTitle={parent?.type === "session" ? parent.relative.title : undefined}
                    isChosen={isChosen}
                    isFull={chosen.length === 2 && !isChosen}
                    isCurrent={index === at}
                    onChoose={() => choose(row.key)}
                    onFocus={() => setCurrent(index)}
                  />
                </li>
              );
            })}
          </ul>
          <div className={css.overlay}>
            <Ticks lanes={lanes} width={width} />
            <Timeline
              rows={rows}
              lanes={lanes}
              width={width}
              placed={items}
              middleOf={({ start, size }) => start + (isNarrow ? size - LANE_FOOT : size / 2)}
              chosen={chosen}
              current={at}
            />
          </div>
        </div>
      </div>
      {chosen.length > 0 && (
        <footer className={css.footer}>
          <span className="ellipsis">
            {chosen.map((key) => titleOf(rows, key)).join("  ↔  ")}
            {b === undefined && <span className="muted"> · choose another one to compare it with</span>}
          </span>
          <span className={css.spring} />
          <Button size="small" onClick={() => setChosen([])}>
            Clear
          </Button>
          <Button
            size="small"
            tone="primary"
            icon={<GitCompareArrows />}
            keys="d"
            disabled={b === undefined}
            onClick={compare}
          >
            Compare
          </Button>
        </footer>
      )}
    </>
  );
}

const titleOf = (rows: readonly Row[], key: string): string => {
  const row = rows.find((each) => each.key === key);
  return row?.type === "session" ? clean(row.relative.title) : key;
};
