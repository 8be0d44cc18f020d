/** The stacked bar: what stays is solid, what a budget would cut is hatched behind it; the handle sets the budget. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { amount, compact, plural } from "../../../../../src/present/text/measure.ts";
import type { Block } from "./blocks.ts";
import { ledgerText } from "./ledger-text.ts";
import css from "./lens.module.css";
import { afterKey, roundTo, stepFor } from "./steps.ts";
import type { LensBudget } from "./types.ts";

export function Bar({
  blocks,
  after,
  tokens,
  result,
  budget,
  onBudget,
  onReach,
  shown,
  onShow,
}: {
  readonly blocks: readonly Block[];
  /** What is left of each block. */
  readonly after: ReadonlyMap<string, number> | undefined;
  readonly tokens: number;
  readonly result: LensBudget | undefined;
  readonly budget: number | undefined;
  /** Nothing where no budget can be set. */
  readonly onBudget: ((budget: number | undefined) => void) | undefined;
  /** The pointer or the focus comes to the handle. */
  readonly onReach: () => void;
  readonly shown: string | undefined;
  readonly onShow: (block: string) => void;
}) {
  const [hovered, setHovered] = useState<string>();
  const segments = segmentsOf(blocks, after);
  const whole = Math.max(
    tokens,
    segments.reduce((sum, each) => sum + each.tokens, 0),
  );
  const named = blocks.find(({ id }) => id === hovered);
  const place = placeOf(segments, hovered, whole);
  return (
    <div
      className={css.bar}
      onPointerEnter={() => onBudget && budget === undefined && onReach()}
      onPointerLeave={() => setHovered(undefined)}
    >
      {named && place !== undefined && (
        <span
          className={css.name}
          style={{ left: `${place * 100}%` }}
          data-at={edgeOf(place)}
          aria-hidden="true"
        >
          {named.label} · {amount(named.tokens)} tokens · {Math.round((named.tokens / tokens) * 100)}% ·{" "}
          {plural(named.count, "passage", "passages")}
        </span>
      )}
      <div className={css.track}>
        {segments.map(({ block, tokens: size, isCut }) => (
          <button
            key={`${block.id} ${isCut}`}
            type="button"
            className={css.block}
            data-fill={block.fill}
            data-cut={isCut || undefined}
            data-shown={shown === block.id || undefined}
            tabIndex={isCut ? -1 : 0}
            aria-hidden={isCut || undefined}
            aria-pressed={shown === block.id}
            aria-label={`${block.label}: ${amount(block.tokens)} tokens in ${plural(block.count, "passage", "passages")}`}
            style={{ width: `${(size / whole) * 100}%` }}
            onPointerEnter={() => setHovered(block.id)}
            onFocus={() => setHovered(block.id)}
            onBlur={() => setHovered(undefined)}
            onClick={() => onShow(block.id)}
          />
        ))}
      </div>
      {onBudget && (
        <Handle
          tokens={tokens}
          whole={whole}
          result={result}
          budget={budget}
          onBudget={onBudget}
          onReach={onReach}
        />
      )}
    </div>
  );
}

interface Segment {
  readonly block: Block;
  readonly tokens: number;
  readonly isCut: boolean;
}

/** First what stays of every block, then what goes. */
function segmentsOf(blocks: readonly Block[], after: ReadonlyMap<string, number> | undefined): Segment[] {
  const left = (block: Block): number =>
    after ? Math.min(block.tokens, after.get(block.id) ?? 0) : block.tokens;
  return [
    ...blocks.map((block) => ({ block, tokens: left(block), isCut: false })),
    ...blocks.map((block) => ({ block, tokens: block.tokens - left(block), isCut: true })),
  ].filter(({ tokens }) => tokens > 0);
}

/** The middle of a block, as a share of the bar. */
function placeOf(segments: readonly Segment[], id: string | undefined, whole: number): number | undefined {
  let start = 0;
  for (const { block, tokens } of segments) {
    if (block.id === id) return (start + tokens / 2) / whole;
    start += tokens;
  }
  return undefined;
}

const edgeOf = (place: number): "start" | "end" | undefined =>
  place < 0.2 ? "start" : place > 0.8 ? "end" : undefined;

/** A slider over the bar; at its end there is no budget. */
function Handle({
  tokens,
  whole,
  result,
  budget,
  onBudget,
  onReach,
}: {
  readonly tokens: number;
  readonly whole: number;
  readonly result: LensBudget | undefined;
  readonly budget: number | undefined;
  readonly onBudget: (budget: number | undefined) => void;
  readonly onReach: () => void;
}) {
  const slider = useRef<HTMLDivElement>(null);
  const step = stepFor(tokens);
  const least = Math.max(1, Math.min(tokens, result ? Math.ceil(result.smallest / step) * step : step));
  const value = budget ?? tokens;
  const set = (next: number): void => onBudget(next >= tokens ? undefined : Math.max(least, next));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && budget !== undefined) {
      event.preventDefault();
      onBudget(undefined);
      return;
    }
    const next = afterKey(event.key, value, { least, most: tokens, step });
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  };
  const drag = (event: PointerEvent): void => {
    const box = slider.current?.parentElement?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    set(roundTo(share * whole, step));
  };
  return (
    <div
      ref={slider}
      className={css.handle}
      role="slider"
      tabIndex={0}
      aria-label="Budget in tokens"
      aria-valuemin={least}
      aria-valuemax={tokens}
      aria-valuenow={value}
      aria-valuetext={
        budget === undefined
          ? `No budget: all ${compact(tokens)} tokens`
          : `${compact(value)} tokens${result ? `: ${ledgerText(result)}` : ""}`
      }
      data-idle={budget === undefined || undefined}
      style={{ left: `${(Math.min(value, whole) / whole) * 100}%` }}
      title={budget === undefined ? "Drag to see what a budget would cut" : undefined}
      onFocus={() => budget === undefined && onReach()}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        slider.current?.focus();
      }}
      onPointerMove={drag}
      onDoubleClick={() => onBudget(undefined)}
    >
      <span className={css.flag}>{compact(value)}</span>
    </div>
  );
}
