/**
 * Gives rows ids that grow with time, whatever order they are written in: search takes rows with higher ids for newer,
 * and the newest sessions are indexed first.
 */
import { toMs } from "../model/values/time.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface TimeIds {
  /** A free id for a row of that time; without one, the next after all others. */
  of(time: string | number | undefined): number;
  /** After a rollback, ids are free again. */
  forget(): void;
}

/** Turns are rarely closer, and the index packs ids that are close to each other into one byte. */
const SECONDS = 4;
/** Where very many rows have the same time, it is remembered how far their ids reach. */
const MOST_REMEMBERED = 10_000;

/** `first` is the smallest id that the table's rows may have. */
export function createTimeIds(db: Database, table: "turns" | "search_texts", first = 0): TimeIds {
  const isTaken = db.prepare(`SELECT 1 FROM ${table} WHERE id = ?`);
  const from = db.prepare(`SELECT id FROM ${table} WHERE id >= ? ORDER BY id`);
  const last = db.prepare(`SELECT max(id) AS id FROM ${table}`);
  /** By the id that their time gives them. */
  const reached = new Map<number, number>();
  const freeFrom = (wanted: number): number => {
    let free = reached.get(wanted) ?? wanted;
    if (!isTaken.get(free)) return free;
    for (const { id } of from.iterate(free)) {
      if (Number(id) !== free) break;
      free++;
    }
    if (reached.size >= MOST_REMEMBERED) reached.clear();
    reached.set(wanted, free);
    return free;
  };
  return {
    of(time) {
      const ms = toMs(time);
      if (ms === undefined) return Math.max(Number(last.get()?.id ?? 0), first) + 1;
      return freeFrom(first + Math.floor(ms / (SECONDS * 1000)));
    },
    forget: () => reached.clear(),
  };
}
