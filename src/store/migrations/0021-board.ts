import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0021-board",
  why: "our own context board stands beside that of Copilot CLI, which may have items of the same names",
  up(db) {
    db.exec(`
      ALTER TABLE dynamic_context_items RENAME TO earlier_context_items;
      CREATE TABLE dynamic_context_items (
        repository  TEXT NOT NULL,
        branch      TEXT NOT NULL,
        src         TEXT NOT NULL,
        name        TEXT NOT NULL,
        description TEXT NOT NULL DEFAULT '',
        content     TEXT NOT NULL DEFAULT '',
        read_count  INTEGER NOT NULL DEFAULT 0,
        count       INTEGER NOT NULL DEFAULT 0,
        kept_by     TEXT NOT NULL,     -- rethread, or the source whose program keeps it
        updated_at  TEXT,              -- of those that we keep
        PRIMARY KEY (repository, branch, src, name, kept_by)
      );
      INSERT INTO dynamic_context_items
        SELECT repository, branch, src, name, description, content, read_count, count, 'copilot-cli', NULL
          FROM earlier_context_items;
      DROP TABLE earlier_context_items;
      -- The state of our own board when its items were last copied here.
      CREATE TABLE board_marks (mark TEXT NOT NULL);
    `);
  },
});
