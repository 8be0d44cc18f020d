/** The days of the last weeks as a calendar: one column a week from Monday on, with how much was done on each day. */

export interface Day {
  /** `2026-11-03` */
  readonly date: string;
  readonly turns: number;
  /** 0: nothing; 4: among the busiest. */
  readonly level: 0 | 1 | 2 | 3 | 4;
}

export interface Week {
  readonly days: readonly (Day | undefined)[];
  /** Where a month begins. */
  readonly month: string | undefined;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export const toDate = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");

/** The Monday that many weeks before this week's. */
export function mondayBefore(weeks: number, now: Date): Date {
  const weekday = (now.getDay() + 6) % 7;
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - weekday - weeks * 7);
}

/** The Monday of the week that a date (`2026-11-03`) is in, as a date. */
export function mondayOf(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return toDate(mondayBefore(0, new Date(year, month - 1, day)));
}

export function calendarOf(turns: ReadonlyMap<string, number>, weeks: number, now: Date): Week[] {
  const start = mondayBefore(weeks - 1, now);
  const levelOf = createLevels([...turns.values()]);
  return Array.from({ length: weeks }, (_, week) => {
    const days = Array.from({ length: 7 }, (__, weekday): Day | undefined => {
      const at = new Date(start.getFullYear(), start.getMonth(), start.getDate() + week * 7 + weekday);
      if (at > now) return undefined;
      const date = toDate(at);
      const count = turns.get(date) ?? 0;
      return { date, turns: count, level: levelOf(count) };
    });
    const monday = new Date(start.getFullYear(), start.getMonth(), start.getDate() + week * 7);
    const isFirst = monday.getDate() <= 7;
    return { days, month: isFirst ? MONTHS[monday.getMonth()] : undefined };
  });
}

/** By quarters of the days with work, so that one very busy day does not pale all others. */
function createLevels(counts: readonly number[]): (count: number) => Day["level"] {
  const sorted = counts.filter((count) => count > 0).sort((a, b) => a - b);
  const limit = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const [low, middle, high] = [limit(0.25), limit(0.5), limit(0.75)];
  return (count) => (count === 0 ? 0 : count <= low ? 1 : count <= middle ? 2 : count <= high ? 3 : 4);
}
