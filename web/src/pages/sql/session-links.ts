/** Which values of a result name a session or a turn, and the address of it. */
import { isSource } from "../../lib/sources.ts";
import type { Table, Value } from "./csv.ts";

export interface SessionLink {
  readonly key: string;
  readonly turn?: number;
}

/** Columns of our views and tables that hold the agent's own id of a session. */
const SESSION = /^(session|session_id|vendor_id|id|parent|parent_id|inherited_from|owner)$/i;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const KEY = /^([a-z][a-z0-9-]*):(\S+)$/;

/** `source:id`, of a source that is known or with an id that can be nothing else. */
function isKey(value: string): boolean {
  const [, source = "", id = ""] = KEY.exec(value) ?? [];
  return id !== "" && (isSource(source) || ID.test(id));
}

/** A function of a row and a column; the columns are looked at once. */
export function linksOf({
  columns,
}: Table): (row: readonly Value[], column: number) => SessionLink | undefined {
  const names = columns.map((column) => column.toLowerCase());
  const sourceAt = names.indexOf("source");
  const turnAt = names.findIndex((name) => name === "turn" || name === "turn_index");
  return (row, column) => {
    const value = row[column];
    const name = names[column] ?? "";
    if (typeof value !== "string") return undefined;
    if (isKey(value)) return { key: value };
    if (!SESSION.test(name) || !ID.test(value)) return undefined;
    const source = row[sourceAt];
    const turn = row[turnAt];
    const isOwn = name === "session" || name === "session_id";
    return {
      key: typeof source === "string" ? `${source}:${value}` : value,
      ...(isOwn && typeof turn === "number" && { turn }),
    };
  };
}
