/** Turns by day as a calendar: the busier, the darker; a day leads to its sessions. */
import { useNavigate } from "@tanstack/react-router";
import { type MouseEvent, useMemo } from "react";
import { day as dayText, plural } from "../../../../src/present/text/measure.ts";
import { calendarOf, toDate } from "./calendar.ts";
import css from "./heat-map.module.css";

const CELL = 16;
const STEP = 20;
const LEFT = 32;
const TOP = 20;
const WEEKDAYS = [
  { label: "Mon", row: 0 },
  { label: "Wed", row: 2 },
  { label: "Fri", row: 4 },
];

const toMidnight = (date: string): Date => new Date(`${date}T00:00:00`);
const dayAfter = (date: string): string => {
  const next = toMidnight(date);
  next.setDate(next.getDate() + 1);
  return toDate(next);
};

export function HeatMap({
  turns,
  weeks,
  now,
}: {
  readonly turns: ReadonlyMap<string, number>;
  readonly weeks: number;
  readonly now: Date;
}) {
  const navigate = useNavigate();
  const today = toDate(now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the calendar changes at midnight, not with every tick
  const calendar = useMemo(() => calendarOf(turns, weeks, now), [turns, weeks, today]);
  const open = (event: MouseEvent, date: string): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ to: "/sessions", search: { since: date, until: dayAfter(date) } });
  };
  const all = [...turns].filter(([, count]) => count > 0);
  const most = all.toSorted((a, b) => b[1] - a[1])[0];
  return (
    <figure className={css.figure}>
      <figcaption className="sr-only">
        Turns on each day of the last {weeks} weeks.{" "}
        {most
          ? `${plural(all.length, "day", "days")} with work; the busiest was ${dayText(toMidnight(most[0]), now)} with ${plural(most[1], "turn", "turns")}.`
          : "No work yet."}
      </figcaption>
      <svg
        className={css.map}
        viewBox={`0 0 ${LEFT + weeks * STEP} ${TOP + 7 * STEP}`}
        width={LEFT + weeks * STEP}
        height={TOP + 7 * STEP}
        aria-hidden="true"
      >
        {WEEKDAYS.map(({ label, row }) => (
          <text key={label} x={0} y={TOP + row * STEP + 12}>
            {label}
          </text>
        ))}
        {calendar.map(({ days, month }, column) => (
          <g key={days[0]?.date ?? column} transform={`translate(${LEFT + column * STEP} 0)`}>
            {month !== undefined && (
              <text x={0} y={11}>
                {month}
              </text>
            )}
            {days.map(
              (day, row) =>
                day && (
                  <a
                    key={day.date}
                    href={`/sessions?since=${day.date}&until=${dayAfter(day.date)}`}
                    tabIndex={-1}
                    onClick={(event) => open(event, day.date)}
                  >
                    <title>
                      {`${dayText(toMidnight(day.date), now)}: ${day.turns === 0 ? "nothing" : plural(day.turns, "turn", "turns")}`}
                    </title>
                    <rect
                      y={TOP + row * STEP}
                      width={CELL}
                      height={CELL}
                      rx={3}
                      data-level={day.level}
                      data-today={day.date === today || undefined}
                    />
                  </a>
                ),
            )}
          </g>
        ))}
      </svg>
      <div className={css.legend} aria-hidden="true">
        Less
        {[0, 1, 2, 3, 4].map((level) => (
          <i key={level} data-level={level} />
        ))}
        More
      </div>
    </figure>
  );
}
