/**
 * Validates times from outside: of records, lists, files and user input. Every such time is checked here, so that
 * nothing counts days from the year 1 to 9999 or fails on a number that is not a date.
 */

/** Read when something happens, never once for the life of the program: a server runs for weeks. */
export type Clock = () => Date;

/** No agent wrote anything before, and what claims to be later is a mistake. */
const FIRST = Date.UTC(2000, 0, 1);
const END = Date.UTC(2100, 0, 1);

/** What is reported of a time outside of that. */
export const ODD_TIME = "a time before 2000 or after 2099, which is treated as unknown";

/**
 * `Date.parse`, ten times faster for texts of one day in the form of `toISOString`: every record of a log has a time, and
 * most are of the same day as the one before.
 */
export function parseTime(text: string): number {
  if (text.length === ISO_LENGTH && text.startsWith(knownDay)) {
    const [hour, minute, second] = [digits(text, 11, 2), digits(text, 14, 2), digits(text, 17, 2)];
    const rest = digits(text, 20, 3);
    const isPlain = text[13] === ":" && text[16] === ":" && text[19] === "." && text[23] === "Z";
    if (isPlain && hour < 24 && minute < 60 && second < 60 && rest >= 0)
      return knownDayMs + ((hour * 60 + minute) * 60 + second) * 1000 + rest;
  }
  const ms = Date.parse(text);
  if (text.length === ISO_LENGTH && !Number.isNaN(ms) && new Date(ms).toISOString() === text) {
    knownDay = text.slice(0, 11);
    knownDayMs = Math.floor(ms / DAY_MS) * DAY_MS;
  }
  return ms;
}
const ISO_LENGTH = "2000-01-01T00:00:00.000Z".length;
const DAY_MS = 24 * 60 * 60 * 1000;
/** With the letter behind it, which no text begins with until there is one. */
let knownDay = "none";
let knownDayMs = 0;

/** Not a number where one of them is no digit. */
function digits(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
const ZERO = "0".charCodeAt(0);

/** ISO text or milliseconds as milliseconds; nothing when it is neither, or cannot be true. */
export function toMs(value: unknown): number | undefined {
  const ms = typeof value === "number" ? value : typeof value === "string" ? parseTime(value) : Number.NaN;
  return ms >= FIRST && ms < END ? ms : undefined;
}

/** The same as ISO text. */
export function toIso(value: unknown): string | undefined {
  const ms = toMs(value);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** For text that is known to be in the form of `toISOString`: no date has to be made of it. */
export const isTimely = (iso: string): boolean => iso >= "2000" && iso < "2100";

/** Beyond this, dates are written with more than four digits for the year, which sort before all others. */
const LAST_PLAIN = Date.UTC(10_000, 0, 1) - 1;

/** A moment that was typed or worked out, no later than can be written plainly. */
export const toPlainDate = (ms: number): Date => new Date(Math.min(ms, LAST_PLAIN));

/** The time of a file, for another file: some disks keep any number, also one that is no date. */
export const toFileMs = (mtimeMs: number): number => Math.min(Math.max(mtimeMs, -LAST_PLAIN), LAST_PLAIN);

/** The same as a date, none before there were any. */
export const toFileDate = (mtimeMs: number): Date => toPlainDate(Math.max(Math.floor(mtimeMs), 0));

/** The time of a file for people, as far as it can be true; one that was never set counts from 1970. */
export const toFileTime = (mtimeMs: number): string | undefined =>
  mtimeMs >= 0 && mtimeMs < END ? new Date(mtimeMs).toISOString() : undefined;

/** There is a time, but it cannot be right. Programs write 0 for none. */
export function isOddTime(value: unknown): boolean {
  if (typeof value === "number") return value !== 0 && toMs(value) === undefined;
  return typeof value === "string" && !Number.isNaN(parseTime(value)) && toMs(value) === undefined;
}
