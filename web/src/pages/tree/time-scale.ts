/**
 * A time axis on which something always happens: a pause takes little more room the longer it lasts, so an hour of work
 * can be told from the next one although the sessions are months apart.
 */
export interface TimeScale {
  /** Between 0 and 1. */
  at(time: number): number;
  readonly first: number;
  readonly last: number;
}

const UNIT_MS = 5 * 60_000;
/** Two moments are never at the same place. */
const LEAST = 0.35;

export function timeScale(moments: readonly number[]): TimeScale {
  const times = [...new Set(moments.filter(Number.isFinite))].sort((a, b) => a - b);
  const [first = 0] = times;
  const last = times.at(-1) ?? first;
  const places = [0];
  for (let i = 1; i < times.length; i++) {
    const gap = (times[i] ?? 0) - (times[i - 1] ?? 0);
    places.push((places[i - 1] ?? 0) + LEAST + Math.log2(1 + gap / UNIT_MS));
  }
  const whole = places.at(-1) || 1;
  return {
    first,
    last,
    at(time) {
      if (time <= first) return 0;
      if (time >= last) return times.length < 2 ? 0 : 1;
      const after = upper(times, time);
      const [from = first, to = last] = [times[after - 1], times[after]];
      const [start = 0, end = whole] = [places[after - 1], places[after]];
      return (start + ((time - from) / (to - from)) * (end - start)) / whole;
    },
  };
}

/** The first that is later. */
function upper(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface Tick {
  readonly x: number;
  readonly label: string;
  /** There is no room for the label behind it. */
  readonly isAtEnd: boolean;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Beginnings of days, or of hours where there is no other day, as many as fit; the last one always, as it has the latest. */
export function ticksOf(scale: TimeScale, width: number, apart = 64): Tick[] {
  const { first, last } = scale;
  const hasDays = last - first > 36 * HOUR;
  const farthest = width - apart / 2;
  const shown: { readonly x: number; readonly date: Date }[] = [];
  let nextX = Number.POSITIVE_INFINITY;
  for (const time of [...(hasDays ? daysBetween(first, last) : hoursBetween(first, last))].reverse()) {
    const x = scale.at(time) * width;
    if (nextX - x < apart) continue;
    nextX = Math.min(x, farthest);
    shown.push({ x, date: new Date(time) });
  }
  let lastYear = new Date(first).getFullYear();
  return shown.reverse().map(({ x, date }) => {
    const isNewYear = date.getFullYear() !== lastYear;
    lastYear = date.getFullYear();
    const label = hasDays ? dayLabel(date, isNewYear) : hourLabel(date);
    return { x, label, isAtEnd: x > farthest };
  });
}

/** More than this are never looked at, however far apart the first and the last are. */
const MOST_DAYS = 4000;

function* daysBetween(first: number, last: number): Generator<number> {
  const start = new Date(first);
  const days = Math.ceil((last - first) / DAY) + 1;
  const step = Math.max(1, Math.ceil(days / MOST_DAYS));
  for (let i = 1; i <= days; i += step) {
    const time = new Date(start.getFullYear(), start.getMonth(), start.getDate() + i).getTime();
    if (time <= last) yield time;
  }
}

function* hoursBetween(first: number, last: number): Generator<number> {
  const start = new Date(first);
  start.setMinutes(0, 0, 0);
  for (let time = start.getTime() + HOUR; time <= last; time += HOUR) yield time;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const dayLabel = (date: Date, isNewYear: boolean): string =>
  `${date.getDate()} ${MONTHS[date.getMonth()]}${isNewYear ? ` ${date.getFullYear()}` : ""}`;

const hourLabel = (date: Date): string => `${String(date.getHours()).padStart(2, "0")}:00`;
