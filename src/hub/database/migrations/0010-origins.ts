/** What a session was forked from is told only to who may see that, too, unless its own files tell. */
import type { HubMigration } from "../migration.ts";
import { roleName } from "../roles.ts";
import { SESSION_OVERVIEW, SESSIONS, view } from "./0004/views.ts";

/** `here` is a condition on the rows `o` that leaves servers out which have none of them. */
const isSeen = (account: string, condition: string, here = "true"): string =>
  `EXISTS (SELECT 1 FROM hub.sessions o WHERE o.account_id = ${account} AND ${condition} AND ${here})`;

/** Found by comparing all sessions of the account, whoever sees them; what the files say, who reads them knows. */
const isTold = (row: string, here?: string): string =>
  `(${row}.parent_evidence IS DISTINCT FROM 'turns' OR ${isSeen(
    `${row}.account_id`,
    `o.source = ${row}.source AND o.vendor_id = ${row}.parent_id`,
    here,
  )})`;

const told = (row: string, column: string, here?: string): string =>
  `CASE WHEN ${isTold(row, here)} THEN ${row}.${column} END`;

/** The columns about the origin of a session, of which row-level security cannot hide single ones. */
export const seenOrigin = (row: string, here?: string): string =>
  ["parent_id", "parent_kind", "parent_title", "parent_evidence"]
    .map((column) => `${told(row, column, here)} AS ${column}`)
    .join(", ");

const replaced = (query: string, columns: string, seen: string): string => {
  if (!query.includes(columns)) throw new Error(`there are no columns ${columns}`);
  return query.replace(columns, seen);
};

export const SEEN_SESSIONS = replaced(
  SESSIONS,
  "s.parent_id, s.parent_kind, s.parent_title, s.parent_evidence",
  seenOrigin("s"),
);
const SEEN_OVERVIEW = replaced(
  SESSION_OVERVIEW,
  "s.parent_id AS parent, s.parent_kind",
  `${told("s", "parent_id")} AS parent, ${told("s", "parent_kind")} AS parent_kind`,
);

export const origins: HubMigration = {
  id: "0010-origins",
  why: "a session that is shared does not tell of the private one that it was forked from",
  up: () => [
    // For people's own SQL. The server itself compares owners with what one sees, and must do so while a node is down.
    `CREATE POLICY owner_seen ON hub.turn_copies AS RESTRICTIVE FOR SELECT TO ${roleName("sql")}
       USING (account_id = (SELECT hub.me()) OR ${isSeen("turn_copies.account_id", "o.id = turn_copies.owner")})`,
    view("sessions", SEEN_SESSIONS, "CREATE OR REPLACE"),
    view("session_overview", SEEN_OVERVIEW, "CREATE OR REPLACE"),
  ],
};
