/** Copies the small tables that belong to no single session: as a whole, when one of them has changed. */
import type { Redactor } from "../../model/redact/redact.ts";
import { memberOf } from "../../model/values/member.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";

/** With the columns that hold texts. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  turn_copies: [],
  call_copies: [],
  folders: [],
  session_tags: ["tag"],
  tag_marks: [],
  dynamic_context_items: ["description", "content"],
  board_marks: [],
  context_item_marks: [],
};

/** Within a transaction that is open. */
export function copyWholeTables(from: Database, to: Database, redactor: Redactor): void {
  const clean = (value: unknown): unknown => (typeof value === "string" ? redactor.text(value) : value);
  for (const [table, texts] of Object.entries(TABLES)) {
    to.exec(`DELETE FROM ${table}`);
    // A session that is still to be copied has no turns to speak of.
    const isHere = table.endsWith("_copies") ? to.prepare("SELECT 1 FROM sessions WHERE id = ?") : undefined;
    for (const row of from.prepare(`SELECT * FROM ${table}`).all()) {
      if (isHere && !isHere.get(String(row.session_id))) continue;
      const columns = Object.keys(row);
      to.prepare(
        `INSERT OR REPLACE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      ).run(
        ...columns.map(
          (column) =>
            (texts.includes(column) ? clean(memberOf(row, column)) : memberOf(row, column)) as never,
        ),
      );
    }
  }
}

/** Their marks tell of tags and boards; copies and folders change with sessions, or in number. */
export const areWholeTablesDue = (from: Database, to: Database): boolean => stateOf(from) !== stateOf(to);

const stateOf = (db: Database): string =>
  JSON.stringify(
    db
      .prepare(
        `SELECT (SELECT json_group_array(mark) FROM tag_marks) AS tags,
                (SELECT json_group_array(mark) FROM board_marks) AS board,
                (SELECT json_group_array(mark) FROM context_item_marks) AS items,
                (SELECT count(*) FROM turn_copies) AS copies, (SELECT count(*) FROM call_copies) AS calls,
                (SELECT count(*) FROM folders) AS folders`,
      )
      .get(),
  );
