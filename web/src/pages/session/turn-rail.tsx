/** The outline of the turns at the left edge: a bar for each, by its tokens; hover shows the prompt, a click goes there. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { useStore } from "../../lib/store.ts";
import { clean } from "../../text/clean.ts";
import { useReading } from "./reading.ts";
import css from "./turn-rail.module.css";
import { type CountedTokens, tokensOf, tokensText, useCountedTokens } from "./turn-tokens.ts";
import type { OutlineTurn } from "./types.ts";

/** A bar with the space around it. */
const TALLEST = 12;
const LEAST = 4;

interface Bar {
  readonly first: number;
  readonly last: number;
  readonly width: number;
  readonly hasCheckpoint: boolean;
  readonly hasFailed: boolean;
}

export function TurnRail() {
  const { outline, state } = useReading();
  const { turns } = outline;
  const current = useStore(state.current);
  const counted = useCountedTokens();
  const rail = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(600);
  const [hovered, setHovered] = useState<{ at: number; top: number }>();
  useLayoutEffect(() => {
    const element = rail.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 600));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const most = Math.max(1, Math.floor(height / LEAST));
  const bars = useMemo(() => toBars(turns, most, counted), [turns, most, counted]);
  // Whole pixels, so that all bars are drawn alike.
  const step = Math.min(TALLEST, Math.max(LEAST, Math.floor(height / Math.max(1, bars.length))));
  const barAt = (clientY: number): number => {
    const top = rail.current?.getBoundingClientRect().top ?? 0;
    return Math.max(0, Math.min(bars.length - 1, Math.floor((clientY - top) / step)));
  };
  const shown = hovered && bars[hovered.at];
  useEffect(() => {
    if (hovered && hovered.at >= bars.length) setHovered(undefined);
  }, [bars.length, hovered]);
  if (turns.length < 2) return null;
  const go = (turn: number): void => state.jump.to(Math.max(0, Math.min(turns.length - 1, turn)));
  const now = turns[current];
  return (
    <div className={css.rail}>
      <div
        ref={rail}
        className={css.bars}
        role="slider"
        tabIndex={0}
        aria-label="Turn"
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={turns.length - 1}
        aria-valuenow={current}
        aria-valuetext={`Turn ${current}: ${clean(now?.prompt ?? "")}`}
        onPointerMove={(event) => {
          const at = barAt(event.clientY);
          setHovered({ at, top: at * step });
          if (event.buttons === 1) go(bars[at]?.first ?? 0);
        }}
        onPointerLeave={() => setHovered(undefined)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          go(bars[barAt(event.clientY)]?.first ?? 0);
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
          if (by !== undefined) go(current + by);
          else if (event.key === "Home") go(0);
          else if (event.key === "End") go(turns.length - 1);
          else return;
          event.preventDefault();
        }}
      >
        {bars.map(({ first, last, width, hasCheckpoint, hasFailed }, at) => (
          <i
            key={first}
            style={{ top: at * step, height: Math.floor(step / 2), width }}
            data-current={(current >= first && current <= last) || undefined}
            data-hovered={hovered?.at === at || undefined}
            data-checkpoint={hasCheckpoint || undefined}
            data-failed={hasFailed || undefined}
          />
        ))}
      </div>
      {shown && hovered && <About bar={shown} turns={turns} counted={counted} top={hovered.top} />}
    </div>
  );
}

function About({
  bar,
  turns,
  counted,
  top,
}: {
  readonly bar: Bar;
  readonly turns: readonly OutlineTurn[];
  readonly counted: CountedTokens;
  readonly top: number;
}) {
  const turn = turns[bar.first];
  if (!turn) return null;
  return (
    <div className={css.about} style={{ top }} aria-hidden="true">
      <b>{bar.first === bar.last ? `Turn ${bar.first}` : `Turns ${bar.first}–${bar.last}`}</b>
      <p>{clean(turn.prompt)}</p>
      <small>
        {[
          tokensText(tokensOf(turn, counted)),
          turn.toolCalls > 0 && plural(turn.toolCalls, "call", "calls"),
          turn.failedCalls > 0 && `${turn.failedCalls} failed`,
          turn.filesChanged > 0 && plural(turn.filesChanged, "file changed", "files changed"),
          turn.hasCheckpoint && "checkpoint",
        ]
          .filter(Boolean)
          .join(" · ")}
      </small>
    </div>
  );
}

const WIDEST = 22;
const NARROWEST = 6;

/** With more turns than there is room for, a bar stands for several. */
function toBars(turns: readonly OutlineTurn[], most: number, counted: CountedTokens): Bar[] {
  const each = Math.max(1, Math.ceil(turns.length / most));
  const groups: { first: number; turns: readonly OutlineTurn[] }[] = [];
  for (let at = 0; at < turns.length; at += each)
    groups.push({ first: at, turns: turns.slice(at, at + each) });
  const weights = groups.map(
    (group) =>
      group.turns.reduce((sum, turn) => sum + tokensOf(turn, counted).tokens, 0) / group.turns.length,
  );
  const largest = Math.max(1, ...weights);
  return groups.map(({ first, turns: all }, at) => ({
    first,
    last: first + all.length - 1,
    // The root: one huge turn must not make all others look the same.
    width: Math.round(NARROWEST + (WIDEST - NARROWEST) * Math.sqrt((weights[at] ?? 0) / largest)),
    hasCheckpoint: all.some(({ hasCheckpoint }) => hasCheckpoint),
    hasFailed: all.some(({ failedCalls }) => failedCalls > 0),
  }));
}
