/** A bar for each week or day; loaded late, as it brings its library. */
import "uplot/dist/uPlot.min.css";
import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import { compact, day } from "../../../../src/present/text/measure.ts";
import css from "./week-plot.module.css";
import { type Bars, type WeekBar, WeekTable } from "./week-table.tsx";

const HEIGHT = 148;
const DAY_S = 24 * 3600;

export function WeekPlot({ bars, unit, days = 7 }: Bars) {
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const shape = JSON.stringify(bars);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const drawn = JSON.parse(shape) as WeekBar[];
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(
        optionsFor(element, drawn, days * DAY_S, setAt),
        [drawn.map(({ start }) => Date.parse(`${start}T00:00:00`) / 1000), drawn.map(({ value }) => value)],
        element,
      );
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    // The colours are drawn, not styled, so another theme needs another drawing.
    const themed = new MutationObserver(draw);
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const media = matchMedia("(prefers-color-scheme: dark)");
    media.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      themed.disconnect();
      media.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [shape, days]);
  const now = new Date();
  const pointed = at === null ? undefined : bars[at];
  return (
    <figure className={css.figure}>
      <div ref={place} aria-hidden="true" />
      {pointed && (
        <div
          className={css.tip}
          data-side={(at ?? 0) > bars.length / 2 ? "left" : "right"}
          aria-hidden="true"
        >
          <b>
            {compact(pointed.value)} {unit}
          </b>
          <span>
            {days === 7 && "week of "}
            {day(new Date(`${pointed.start}T00:00:00`), now)}
          </span>
          <span>{pointed.about}</span>
        </div>
      )}
      <div className="sr-only">
        <WeekTable bars={bars} unit={unit} days={days} />
      </div>
    </figure>
  );
}

function optionsFor(
  element: HTMLElement,
  drawn: readonly WeekBar[],
  spanS: number,
  onPoint: (at: number | null) => void,
): uPlot.Options {
  // Computed colours: a canvas knows nothing of variables and of light-dark().
  const colour = (name: string): string => {
    const probe = document.createElement("i");
    probe.style.color = `var(${name})`;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const [ink, line, accent] = [colour("--ink-3"), colour("--line"), colour("--accent")];
  const font = `11.5px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { stroke: ink, font, ticks: { show: false }, grid: { stroke: line, width: 1 } };
  const bars = uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.12, align: 1 });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { range: (_, min, max) => [min, max + spanS] },
      y: { range: (_, __, max) => [0, Math.max(1, max * 1.05)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        splits: ({ width }) => labelled(drawn, width, spanS),
        values: (_, ticks) => ticks.map((tick) => day(new Date((tick - spanS / 2) * 1000), new Date())),
      },
      { ...axis, size: 44, space: 36, incrs: WHOLE, values: (_, ticks) => ticks.map(compact) },
    ],
    series: [
      {},
      { fill: accent, stroke: accent, width: 0, ...(bars && { paths: bars }), points: { show: false } },
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)] },
  };
}

/** Nobody takes half a turn. */
const WHOLE = Array.from({ length: 13 }, (_, zeros) =>
  [1, 2, 2.5, 5].map((step) => step * 10 ** zeros).filter(Number.isInteger),
).flat();

const startOf = ({ start }: WeekBar): number => Date.parse(`${start}T00:00:00`) / 1000;

const LABEL_WIDTH = 64;

/** The middles of as many bars as have room for their label, the last one among them. */
function labelled(drawn: readonly WeekBar[], width: number, spanS: number): number[] {
  const step = Math.max(1, Math.ceil((drawn.length * LABEL_WIDTH) / Math.max(1, width - LABEL_WIDTH)));
  return drawn.filter((_, at) => (drawn.length - 1 - at) % step === 0).map((bar) => startOf(bar) + spanS / 2);
}
