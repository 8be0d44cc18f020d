/** Sessions that applications keep here instead of on a disk: their files, who may write them, and which writes are done. */
import type { TableShape } from "../layout.ts";
import { type HubMigration, shardsOf, tablesOf } from "../migration.ts";
import { protect } from "../policies.ts";

const TABLES: readonly TableShape[] = [
  {
    name: "provider_entries",
    // The files and folders of a session. The session's own folder has the path '', and no parent.
    columns: `session_id text NOT NULL, path text NOT NULL, parent text, is_folder boolean NOT NULL,
      ino bigint NOT NULL, mode integer NOT NULL, mtime_ms double precision NOT NULL, birth_ms double precision NOT NULL,
      size bigint NOT NULL DEFAULT 0, content_id uuid,
      tail_start bigint NOT NULL DEFAULT 0, tail_pieces integer NOT NULL DEFAULT 0`,
    key: ["session_id", "path"],
    indexes: ["(account_id, session_id, parent)"],
  },
  {
    name: "provider_pieces",
    // The bytes of a file in order. Appending adds a row; `tail_*` of the entry says which rows are small and many.
    columns:
      "session_id text NOT NULL, content_id uuid NOT NULL, start bigint NOT NULL, bytes integer NOT NULL, body bytea NOT NULL",
    key: ["content_id", "start"],
    indexes: ["(account_id, session_id)"],
  },
  {
    name: "provider_leases",
    // One row for each session that was ever written. The token grows with every holder, and is never used again.
    columns: `session_id text NOT NULL, token bigint NOT NULL DEFAULT 0, holder text NOT NULL DEFAULT '',
      expires_at timestamptz NOT NULL DEFAULT '-infinity', last_write uuid`,
    key: ["session_id"],
  },
  {
    name: "provider_writes",
    // Writes of several files that are one: done, or known never to be.
    columns: "write_id text NOT NULL, is_done boolean NOT NULL, at timestamptz NOT NULL DEFAULT now()",
    key: ["write_id"],
  },
];

export const provider: HubMigration = {
  id: "0005-provider",
  why: "applications keep their sessions in the database, and continue them on any machine",
  up: (layout) => [...tablesOf(TABLES, layout), ...TABLES.flatMap(({ name }) => protect(name, "own", "own"))],
  shard: (layout, server) => shardsOf(TABLES, layout, server),
};
