import { defineMigration } from "../../migration.ts";

export default defineMigration({
  id: "0009-board",
  why: "the context board of each repository is ours to keep, and every change of it can be undone",
  up(db) {
    db.exec(`
      CREATE TABLE board_items (
        repository  TEXT NOT NULL COLLATE NOCASE,
        branch      TEXT NOT NULL,     -- '*' for every branch
        name        TEXT NOT NULL,
        source      TEXT NOT NULL CHECK (source IN ('user', 'agent', 'sessions')),
        description TEXT NOT NULL,
        content     TEXT NOT NULL,
        read_count  INTEGER NOT NULL DEFAULT 0,
        use_count   INTEGER NOT NULL DEFAULT 0,
        created_at  TEXT NOT NULL,
        updated_at  TEXT NOT NULL,
        evidence    TEXT NOT NULL CHECK (json_valid(evidence)),
        facts       TEXT NOT NULL CHECK (json_valid(facts)), -- what it was made from, as hashes
        removed_at  TEXT,              -- only its facts are left, so that they are not proposed again
        PRIMARY KEY (repository, branch, name)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE board_changes (
        number      INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice, also when old ones are forgotten
        operation   TEXT NOT NULL UNIQUE,
        kind        TEXT NOT NULL CHECK (kind IN ('add', 'edit', 'prune', 'consolidate', 'undo')),
        at          TEXT NOT NULL,
        items       TEXT NOT NULL CHECK (json_valid(items)), -- each before and after it
        undoes      TEXT,
        undone_by   TEXT
      ) STRICT;

      -- Counts every change of an item, its counters included, for those who keep copies of them.
      CREATE TABLE board_state (id TEXT NOT NULL, revision INTEGER NOT NULL) STRICT;
      INSERT INTO board_state VALUES (hex(randomblob(8)), 0);
      CREATE TRIGGER board_inserted AFTER INSERT ON board_items BEGIN UPDATE board_state SET revision = revision + 1; END;
      CREATE TRIGGER board_updated AFTER UPDATE ON board_items BEGIN UPDATE board_state SET revision = revision + 1; END;
      CREATE TRIGGER board_deleted AFTER DELETE ON board_items BEGIN UPDATE board_state SET revision = revision + 1; END;
    `);
  },
});
