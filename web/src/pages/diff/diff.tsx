/** Diff: where two sessions part, with their turns side by side. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowLeftRight, GitCompareArrows } from "lucide-react";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Answer } from "../../../../src/client/index.ts";
import { compact, plural } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { useShortcuts } from "../../keys/keys.ts";
import { api, keys } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { sourceOf } from "../../lib/sources.ts";
import { diffRoute } from "../../router.tsx";
import { clean } from "../../text/clean.ts";
import { Button, buttonClass, IconButton } from "../../ui/button.tsx";
import { SourceMark } from "../../ui/marks.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useSteady } from "../../ui/use-steady.ts";
import css from "./diff.module.css";
import { PairRow } from "./pair-row.tsx";
import { summaryOf, toPairs } from "./pairs.ts";
import { Picker } from "./picker.tsx";
import { Touched } from "./touched.tsx";

export function Diff() {
  const { a, b } = diffRoute.useSearch();
  const navigate = useNavigate();
  const show = (next: { a?: string | undefined; b?: string | undefined }): void =>
    void navigate({
      to: "/diff",
      search: { ...(next.a !== undefined && { a: next.a }), ...(next.b !== undefined && { b: next.b }) },
    });
  useShortcuts([{ keys: "s", label: "Swap the two sides", group: "Diff", run: () => show({ a: b, b: a }) }]);
  const bothGiven = a !== undefined && b !== undefined;
  const steady = useSteady();
  return (
    <div className={css.view} {...steady}>
      <header className={css.header}>
        <h1>Diff</h1>
        <span className={css.spring} />
        <Link to="/tree" className={buttonClass({ size: "small" })}>
          Tree
        </Link>
      </header>
      {bothGiven ? (
        <Comparison a={a} b={b} show={show} />
      ) : (
        <Empty icon={<GitCompareArrows />} title="Compare two sessions">
          <div className={css.pickers}>
            <Chosen
              label="Left"
              name={a}
              other={b}
              onPick={(key) => show({ a: key, b })}
              onClear={() => show({ b })}
            />
            <Chosen
              label="Right"
              name={b}
              other={a}
              onPick={(key) => show({ a, b: key })}
              onClear={() => show({ a })}
            />
          </div>
          A fork and what it came from tell most: the tree has them side by side.
        </Empty>
      )}
    </div>
  );
}

function Chosen({
  label,
  name,
  other,
  onPick,
  onClear,
}: {
  readonly label: string;
  readonly name: string | undefined;
  readonly other: string | undefined;
  readonly onPick: (key: string) => void;
  readonly onClear: () => void;
}) {
  const { data } = useQuery({
    queryKey: keys.session(name ?? ""),
    queryFn: ({ signal }) => api.session(name ?? "", { signal }),
    enabled: name !== undefined,
  });
  return (
    <div className={css.chosen}>
      <span>{label}</span>
      {name === undefined ? (
        <Picker label={`Session on the ${label.toLowerCase()}`} not={other} onPick={onPick} />
      ) : (
        <div className={css.picked}>
          <span className="ellipsis">{clean(data?.session.title ?? name)}</span>
          <Button size="small" onClick={onClear}>
            Change
          </Button>
        </div>
      )}
    </div>
  );
}

interface ComparisonProps {
  readonly a: string;
  readonly b: string;
  readonly show: (next: { a?: string | undefined; b?: string | undefined }) => void;
}

function Comparison({ a, b, show }: ComparisonProps) {
  const { data, error, refetch } = useQuery({
    queryKey: keys.diff(a, b),
    queryFn: ({ signal }) => api.diff(a, b, { signal }),
  });
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={10} />;
  return <Rows diff={data} show={show} />;
}

function Rows({ diff, show }: { readonly diff: Answer<"diff">; readonly show: ComparisonProps["show"] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  // What stands above the rows grows when it is opened.
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    if (!above.current) return;
    const observer = new ResizeObserver(() => setMargin(list.current?.offsetTop ?? 0));
    observer.observe(above.current);
    return () => observer.disconnect();
  }, []);
  const pairs = useMemo(() => toPairs(diff.turns), [diff]);
  const [a, b] = [toKey(diff.a), toKey(diff.b)];
  const virtual = useVirtualizer({
    count: pairs.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (pairs[index]?.kind === "same" ? 56 : 320),
    overscan: 3,
    scrollMargin: margin,
  });
  return (
    <div ref={scroller} className={css.scroller}>
      <div className={css.heads}>
        <Head session={diff.a} onChange={() => show({ b })} side="left" />
        <IconButton label="Swap the two sides" keys="s" onClick={() => show({ a: b, b: a })}>
          <ArrowLeftRight />
        </IconButton>
        <Head session={diff.b} onChange={() => show({ a })} side="right" />
      </div>
      <div ref={above} className={css.summary}>
        <p role="status">{summaryOf(diff)}</p>
        <Touched files={diff.files} commands={diff.commands} />
      </div>
      <div ref={list} className={css.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const pair = pairs[index];
          return (
            pair && (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={css.row}
                style={{ transform: `translateY(${start - margin}px)` }}
              >
                <PairRow
                  pair={pair}
                  a={{ key: a, workspace: diff.a.workspace }}
                  b={{ key: b, workspace: diff.b.workspace }}
                />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

function Head({
  session,
  side,
  onChange,
}: {
  readonly session: Answer<"diff">["a"];
  readonly side: "left" | "right";
  readonly onChange: () => void;
}) {
  return (
    <section className={css.head} aria-label={`On the ${side}`}>
      <div>
        <h2>
          <SourceMark source={session.source} />
          <Link
            to="/s/$key"
            params={{ key: toKey(session) }}
            className={css.title}
            title={clean(session.title)}
          >
            {clean(session.title)}
          </Link>
        </h2>
        <p>
          {sourceOf(session.source).short} · {plural(session.turns, "turn", "turns")}
          {session.tokens !== null && ` · ${compact(session.tokens)} tokens`} ·{" "}
          <Time at={session.updatedAt} />
        </p>
      </div>
      <Button size="small" tone="ghost" onClick={onChange} aria-label={`Change the session on the ${side}`}>
        Change
      </Button>
    </section>
  );
}
