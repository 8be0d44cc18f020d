/** Days, weeks and months in a row: a plot over time must show the idle ones, too. */

export type Period = "day" | "week" | "month";

/** All periods from the first key to the last, as the store writes them: "2026-11-09", a week's Monday, "2026-11". */
export function periodsBetween(period: Period, first: string, last: string): string[] {
  const keys: string[] = [];
  // In UTC, where every day has 24 hours: keys are dates, not moments. They are compared as numbers: the text of the
  // year 10000 comes before that of 9999. One that is no date ends it at once.
  const end = toDate(last).getTime();
  for (let date = toDate(first); date.getTime() <= end; date = next(period, date))
    keys.push(toKey(period, date));
  return keys;
}

const toDate = (key: string): Date => new Date(`${key.length === 7 ? `${key}-01` : key}T00:00:00Z`);
const toKey = (period: Period, date: Date): string =>
  date.toISOString().slice(0, period === "month" ? 7 : 10);

function next(period: Period, date: Date): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (period === "month") return new Date(Date.UTC(year, month + 1, 1));
  return new Date(Date.UTC(year, month, day + (period === "week" ? 7 : 1)));
}
