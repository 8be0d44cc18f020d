/** Which session and turn each row of a query's answer is about, by the columns that the views and tables share. */
import type { SessionKey } from "../../model/values/id.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import type { QueryResult } from "./query.ts";

export interface RowPlace extends SessionKey {
  readonly turn?: number;
  readonly time?: string;
}

const TURN = ["turn", "turn_index"];
const TIME = [
  "started_at",
  "timestamp",
  "turn_at",
  "seen_at",
  "first_seen_at",
  "at",
  "created_at",
  "active_at",
  "updated_at",
];

/** Null for a row that names no session: a count, or one of several sessions. */
export function placesOfRows(db: Database, { columns, rows }: QueryResult): (RowPlace | null)[] {
  const at = (...names: string[]): number =>
    columns.findIndex((column) => names.includes(column.toLowerCase()));
  const [source, session, turnAt, timeAt] = [
    at("source"),
    at("session", "vendor_id"),
    at(...TURN),
    at(...TIME),
  ];
  // In the table of sessions itself, the key is called id.
  const key = at("session_id") >= 0 ? at("session_id") : columns.includes("cwd") ? at("id") : -1;
  if ((source < 0 || session < 0) && key < 0) return rows.map(() => null);
  const byKey = db.prepare("SELECT source, vendor_id, updated_at FROM sessions WHERE id = ?");
  const byName = db.prepare("SELECT id, updated_at FROM sessions WHERE source = ? AND vendor_id = ?");
  const turnTime = db.prepare("SELECT timestamp FROM turns WHERE session_id = ? AND turn_index = ?");
  const textAt = (row: QueryResult["rows"][number], column: number): string | undefined =>
    typeof row[column] === "string" ? row[column] : undefined;
  return rows.map((row) => {
    const [ofSource, ofSession, ofKey] = [textAt(row, source), textAt(row, session), textAt(row, key)];
    const isNamed = ofSource !== undefined && ofSession !== undefined;
    const found = isNamed
      ? byName.get(ofSource, ofSession)
      : ofKey === undefined
        ? undefined
        : byKey.get(ofKey);
    if (!found) return null;
    const id = String(found.id ?? ofKey);
    const turn = typeof row[turnAt] === "number" ? row[turnAt] : undefined;
    const told = textAt(row, timeAt);
    const time =
      (told !== undefined && /^\d{4}-\d\d-\d\dT/.test(told) ? told : undefined) ??
      (turn === undefined ? undefined : turnTime.get(id, turn)?.timestamp) ??
      found.updated_at;
    return {
      source: ofSource !== undefined && isNamed ? ofSource : String(found.source),
      id: ofSession !== undefined && isNamed ? ofSession : String(found.vendor_id),
      ...(turn !== undefined && { turn }),
      ...(typeof time === "string" && { time }),
    };
  });
}
