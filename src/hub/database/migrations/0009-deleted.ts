/** Which sessions were deleted for good: the machine that has one learns it, and does not send it again. */
import type { TableShape } from "../layout.ts";
import { type HubMigration, shardsOf, tablesOf } from "../migration.ts";
import { protect } from "../policies.ts";

const TABLES: readonly TableShape[] = [
  {
    name: "deleted_sessions",
    // A hash of the hub's id: who has the session can ask whether it is one of these, and nothing else can be learned.
    columns: "session_hash bytea NOT NULL, deleted_at timestamptz NOT NULL DEFAULT now()",
    key: ["session_hash"],
  },
];

export const deleted: HubMigration = {
  id: "0009-deleted",
  why: "what was deleted from one machine is not sent again by another",
  up: (layout) => [...tablesOf(TABLES, layout), ...TABLES.flatMap(({ name }) => protect(name, "own", "own"))],
  shard: (layout, server) => shardsOf(TABLES, layout, server),
};
