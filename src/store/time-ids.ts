/**
 * Gives rows ids that grow with time, whatever order they are written in: search takes rows with higher ids for newer,
 * and the newest sessions are indexed first.
 */
import { toMs } from "../model/values/time.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface TimeIds {
  /** A free id for a row of that time, which is then taken; without a time, the next after all others. */
  of(time: string | number | undefined): number;
  /** Its row is gone. */
  release(id: number): void;
  /** After a rollback. */
  forget(): void;
}

/** What was given or found taken is remembered up to so many ids. */
const MOST_REMEMBERED = 200_000;

/** `first` is the smallest id that the table's rows may have. `isAlone`: nobody else gives ids to rows of this table. */
export function createTimeIds(
  db: Database,
  table: "turns" | "search_texts",
  { first = 0, isAlone = false }: { readonly first?: number; readonly isAlone?: boolean } = {},
): TimeIds {
  const isTaken = db.prepare(`SELECT 1 FROM ${table} WHERE id = ?`);
  const last = db.prepare(`SELECT max(id) AS id FROM ${table}`);
  /** For an id that is taken, one behind it up to which all are: as many rows may have one time, none is tried twice. */
  const behind = new Map<number, number>();
  /** Whether every id that is taken is remembered. */
  let isAllKnown = isAlone && typeof last.get()?.id !== "number";
  const isInTable = (id: number): boolean => !isAllKnown && isTaken.get(id) !== undefined;
  const freeFrom = (wanted: number): number => {
    const passed: number[] = [];
    let free = wanted;
    for (;;) {
      const next = behind.get(free) ?? (isInTable(free) ? free + 1 : undefined);
      if (next === undefined) break;
      passed.push(free);
      free = next;
    }
    if (behind.size >= MOST_REMEMBERED) forget();
    for (const id of [...passed, free]) behind.set(id, free + 1);
    return free;
  };
  function forget(): void {
    behind.clear();
    isAllKnown = false;
  }
  return {
    of(time) {
      const ms = toMs(time);
      if (ms === undefined) {
        isAllKnown = false;
        return Math.max(Number(last.get()?.id ?? 0), first) + 1;
      }
      return freeFrom(first + Math.floor(ms / 1000));
    },
    release: (id) => void behind.delete(id),
    forget,
  };
}
