import { defineMigration } from "../../migration.ts";

export default defineMigration({
  id: "0003-vault",
  why: "the vault's blocks make files: those of archived sessions, and backups made before a write",
  up(db) {
    db.exec(`
      CREATE TABLE archived_sessions (
        id          INTEGER PRIMARY KEY,
        source      TEXT NOT NULL,
        session     TEXT NOT NULL,     -- the vendor's id
        root        TEXT NOT NULL,
        path        TEXT NOT NULL,
        size        INTEGER NOT NULL,  -- with the next two: the fingerprint it was archived at
        mtime_ms    REAL NOT NULL,
        ino         INTEGER NOT NULL,
        listed      TEXT CHECK (json_valid(listed)), -- what the vendor's own list said of it
        archived_at TEXT NOT NULL,
        vanished_at TEXT,              -- since then the vault alone has it
        UNIQUE (source, path)
      ) STRICT;
      CREATE INDEX archived_sessions_vanished ON archived_sessions (vanished_at) WHERE vanished_at IS NOT NULL;

      CREATE TABLE kept_files (
        id        INTEGER PRIMARY KEY,
        archived  INTEGER REFERENCES archived_sessions (id) ON DELETE CASCADE,
        operation TEXT REFERENCES journal (operation) ON DELETE CASCADE,
        path      TEXT NOT NULL,
        size      INTEGER NOT NULL,
        mtime_ms  REAL NOT NULL,
        ino       INTEGER NOT NULL,
        mode      INTEGER NOT NULL,
        CHECK ((archived IS NULL) <> (operation IS NULL)),
        UNIQUE (archived, path),
        UNIQUE (operation, path)
      ) STRICT;

      -- A block that no row names is garbage.
      CREATE TABLE kept_blocks (
        file     INTEGER NOT NULL REFERENCES kept_files (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        hash     TEXT NOT NULL,
        PRIMARY KEY (file, position)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX kept_blocks_by_hash ON kept_blocks (hash);
    `);
  },
});
