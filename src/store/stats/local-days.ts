/**
 * The days of moments in the reader's time zone. SQLite says what that zone is, as in every other query; it is asked once
 * for each day whose hours are all as far from UTC.
 */
import type { Database } from "../../platform/sqlite/sqlite.ts";
import type { Moment } from "./tally.ts";

const DAY = 86_400;
/** What claims to be outside of these years has no day. */
const [FIRST_MS, END_MS] = [Date.UTC(2000, 0, 1), Date.UTC(2100, 0, 1)];

export interface LocalDays {
  /** Its place in `names`. */
  of(at: Moment): number;
  /** YYYY-MM-DD, or null for times that cannot be true. */
  readonly names: readonly (string | null)[];
}

export function createLocalDays(db: Database): LocalDays {
  const ahead = db.prepare("SELECT unixepoch(?1, 'unixepoch', 'localtime') - ?1 AS seconds");
  const odd = db.prepare("SELECT iif(?1 BETWEEN '2000' AND '2100', date(?1, 'localtime'), NULL) AS day");
  const aheadAt = (second: number): number => Number(ahead.get(second)?.seconds);
  /** How far the zone is ahead of UTC all through this day of UTC; null on days on which that changes. */
  const aheadOn = new Map<number, number | null>();
  const names: (string | null)[] = [];
  const places = new Map<string | null, number>();
  const byNumber = new Map<number, number>();
  const placeOf = (name: string | null): number => {
    const place = places.get(name) ?? names.push(name) - 1;
    places.set(name, place);
    return place;
  };
  const of = (at: Moment): number => {
    if (typeof at === "string") return placeOf((odd.get(at)?.day ?? null) as string | null);
    if (at < FIRST_MS || at >= END_MS) return placeOf(null);
    const second = Math.floor(at / 1000);
    const utcDay = Math.floor(second / DAY);
    let seconds = aheadOn.get(utcDay);
    if (seconds === undefined) {
      const [first, last] = [aheadAt(utcDay * DAY), aheadAt((utcDay + 1) * DAY)];
      seconds = first === last ? first : null;
      aheadOn.set(utcDay, seconds);
    }
    const day = Math.floor((second + (seconds ?? aheadAt(second))) / DAY);
    let place = byNumber.get(day);
    if (place === undefined) {
      place = placeOf(new Date(day * DAY * 1000).toISOString().slice(0, 10));
      byNumber.set(day, place);
    }
    return place;
  };
  return { of, names };
}
