/** Formats times, sizes and amounts. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "5 min ago", "yesterday", "3 weeks ago"; a date once that says more. */
export function ago(iso: string | undefined, now: Date): string {
  if (iso === undefined) return "";
  const then = new Date(iso);
  const passed = now.getTime() - then.getTime();
  if (Number.isNaN(passed)) return "";
  if (passed < -MINUTE) return day(then, now);
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < 12 * HOUR) return plural(Math.floor(passed / HOUR), "hour ago", "hours ago");
  const days = calendarDays(then, now);
  if (days === 0) return "today";
  if (days === 1) return "yesterday";
  if (days < 14) return `${days} days ago`;
  if (days < 60) return `${Math.floor(days / 7)} weeks ago`;
  return day(then, now);
}

/** The same for a column: "5m ago", "3d ago". */
export function briefly(iso: string | undefined, now: Date): string {
  return ago(iso, now)
    .replace(
      /^(\d+) (min|hour|day|week)s? ago$/,
      (_, count: string, unit: string) => `${count}${unit.charAt(0)} ago`,
    )
    .replace("just now", "now");
}

/** "3 Nov", with the year when it is another one. */
export function day(date: Date, now: Date): string {
  const year = date.getFullYear() === now.getFullYear() ? "" : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${MONTHS[date.getMonth()]}${year}`;
}

/** "3 Nov 2026, 14:02" in the reader's own time zone. */
export function moment(iso: string | undefined): string {
  if (iso === undefined) return "";
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}, ${clock(iso)}`;
}

export function clock(iso: string | undefined): string {
  if (iso === undefined) return "";
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  let value = count;
  for (const unit of ["kB", "MB", "GB", "TB"]) {
    value /= 1000;
    if (value < 999.5) return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
  }
  return `${Math.round(value)} TB`;
}

/** The size of a text, in characters. */
export function chars(count: number): string {
  if (count < 1000) return `${count} chars`;
  return count < 999_950 ? `${(count / 1000).toFixed(1)}k chars` : `${(count / 1_000_000).toFixed(1)}M chars`;
}

/** By hand: `toLocaleString` takes longer the first time than most commands take in all. */
export const amount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

/** "950", "13k", "1.7M": as much as a glance needs. */
export function compact(count: number): string {
  if (count < 1000) return String(Math.round(count));
  let value = count;
  for (const unit of ["k", "M", "B"]) {
    value /= 1000;
    if (value < 999.5) return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
  }
  return `${Math.round(value)}B`;
}

export const plural = (count: number, one: string, many: string): string =>
  `${amount(count)} ${count === 1 ? one : many}`;

function calendarDays(then: Date, now: Date): number {
  const midnight = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((midnight(now) - midnight(then)) / DAY);
}

const BARS = "▁▂▃▄▅▆▇█";

/** A row of little bars; nothing at all is a dot, so that it differs from little. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values
    .map((value) => (value === 0 ? "·" : (BARS[Math.ceil((value / most) * BARS.length) - 1] ?? "█")))
    .join("");
}

/** A bar of eighths, `width` cells for the whole. */
export function bar(share: number, width: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  const rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8] ?? "";
  return "█".repeat(Math.floor(eighths / 8)) + rest || (share > 0 ? "▏" : "");
}
