import { defineMigration } from "../../migration.ts";

export default defineMigration({
  id: "0010-sync",
  why: "what may leave for a hub, what it has acknowledged, and what came from it are recorded nowhere else",
  up(db) {
    db.exec(`
      CREATE TABLE sync_machine (
        one   INTEGER PRIMARY KEY CHECK (one = 1),
        id    TEXT NOT NULL,          -- a UUID, by which the hub knows this machine
        name  TEXT NOT NULL,
        key   BLOB NOT NULL           -- from which the marks of secrets are made
      ) STRICT;

      CREATE TABLE sync_consents (
        hub       TEXT PRIMARY KEY,   -- its address, and the account there
        agreed_at TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE sync_rules (
        kind    TEXT NOT NULL CHECK (kind IN ('repository', 'folder')),
        pattern TEXT NOT NULL COLLATE NOCASE,
        effect  TEXT NOT NULL CHECK (effect IN ('allow', 'deny', 'sealed')),
        set_at  TEXT NOT NULL,
        PRIMARY KEY (kind, pattern)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE sync_private (
        source  TEXT NOT NULL,
        session TEXT NOT NULL,
        mode    TEXT NOT NULL CHECK (mode IN ('never', 'sealed')),
        set_at  TEXT NOT NULL,
        PRIMARY KEY (source, session)
      ) STRICT, WITHOUT ROWID;

      -- What a hub has acknowledged of a session.
      CREATE TABLE sync_pushed (
        hub       TEXT NOT NULL,
        source    TEXT NOT NULL,
        session   TEXT NOT NULL,
        mark      TEXT NOT NULL,      -- of its files as they were, and of how they were sent
        files     TEXT NOT NULL CHECK (json_valid(files)), -- what the hub has of each
        sealed    TEXT CHECK (json_valid(sealed)), -- which part of which file each sealed one holds
        vanished  INTEGER NOT NULL DEFAULT 0,
        unwanted  INTEGER NOT NULL DEFAULT 0, -- to be deleted from the hub
        pushed_at TEXT NOT NULL,
        PRIMARY KEY (hub, source, session)
      ) STRICT, WITHOUT ROWID;

      -- Which session of another machine became which session here.
      CREATE TABLE sync_pulled (
        hub         TEXT NOT NULL,
        hub_session TEXT NOT NULL,
        source      TEXT NOT NULL,
        session     TEXT NOT NULL,
        remote_mark TEXT NOT NULL,    -- of what the hub had of it then
        local_mark  TEXT NOT NULL,    -- of the files that it became
        pulled_at   TEXT NOT NULL,
        PRIMARY KEY (hub, hub_session)
      ) STRICT, WITHOUT ROWID;
    `);
  },
});
