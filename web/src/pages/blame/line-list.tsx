/** The lines of a file of any length: only what is visible is rendered. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, type Ref, useImperativeHandle, useLayoutEffect, useMemo, useRef } from "react";
import { clean } from "../../text/clean.ts";
import { useHighlight } from "../../text/highlight.ts";
import { languageOfPath } from "../../text/language-names.ts";
import css from "./blame.module.css";
import type { Place } from "./groups.ts";
import { LineRow } from "./line-row.tsx";

export interface LineListHandle {
  /** Brings a line into view; counted from 0. */
  show(at: number): void;
}

const HEIGHT = 22;
/** What is shown of a line, in characters. */
const LONGEST = 2000;

export function LineList({
  places,
  name,
  selected,
  shown,
  onSelect,
  onPoint,
  ref,
}: {
  readonly places: readonly Place[];
  readonly name: string;
  readonly selected: number | undefined;
  /** The line whose run is marked. */
  readonly shown: number | undefined;
  readonly onSelect: (line: number) => void;
  readonly onPoint: (line: number | undefined) => void;
  readonly ref: Ref<LineListHandle>;
}) {
  const scroller = useRef<HTMLElement>(null);
  const texts = useMemo(() => places.map(({ line }) => textOf(line.text)), [places]);
  const colours = useHighlight(
    useMemo(() => texts.join("\n"), [texts]),
    languageOfPath(name),
  );
  const widest = useMemo(() => texts.reduce((most, { length }) => Math.max(most, length), 0), [texts]);
  const virtual = useVirtualizer({
    count: places.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    overscan: 30,
    // What the gutter of the first line of a run says should be in sight, too.
    scrollPaddingStart: HEIGHT * 2,
    scrollPaddingEnd: HEIGHT * 2,
  });
  useImperativeHandle(ref, () => ({ show: (at) => virtual.scrollToIndex(at, { align: "auto" }) }), [virtual]);
  // A link to a line begins there.
  const first = useRef(selected);
  useLayoutEffect(() => {
    if (first.current !== undefined) virtual.scrollToIndex(first.current - 1, { align: "center" });
    first.current = undefined;
  }, [virtual]);
  const top = Math.ceil((virtual.scrollOffset ?? 0) / HEIGHT);
  const mouse = useRef("");
  /** Lines that scroll below a mouse at rest are not pointed at. */
  const point = ({ clientX, clientY, target }: MouseEvent): void => {
    const place = `${clientX} ${clientY}`;
    if (place === mouse.current) return;
    mouse.current = place;
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-line]") : null;
    onPoint(row ? Number(row.dataset.line) : undefined);
  };
  const group = shown === undefined ? undefined : places[shown - 1]?.group;
  const digits = String(places.length).length;
  return (
    <section
      ref={scroller}
      className={css.scroller}
      onMouseMove={point}
      onMouseLeave={() => onPoint(undefined)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with keys
      tabIndex={0}
      aria-label={`Lines of ${clean(name)}`}
    >
      <ol
        className={css.lines}
        style={{
          height: virtual.getTotalSize(),
          minWidth: `calc(var(--gutter) + ${Math.max(digits, 3) + 4 + widest}ch)`,
          ["--digits" as string]: `${Math.max(digits, 3)}ch`,
        }}
      >
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const place = places[index];
          return (
            place && (
              <LineRow
                key={key}
                place={place}
                text={texts[index] ?? ""}
                pieces={colours?.[index]}
                top={start}
                isSelected={selected === index + 1}
                isMarked={place.group === group}
                // The first line that is seen of a run names it, wherever the run begins.
                isNamed={place.isFirst || index === top}
                onSelect={onSelect}
              />
            )
          );
        })}
      </ol>
    </section>
  );
}

/** On one line, whatever it is made of. */
function textOf(text: string): string {
  const head = clean(text.slice(0, LONGEST)).replaceAll("\n", " ");
  const more = text.length - LONGEST;
  return more > 0 ? `${head} … ${more} more characters` : head;
}
