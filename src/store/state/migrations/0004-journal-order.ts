import { defineMigration } from "../../migration.ts";

export default defineMigration({
  id: "0004-journal-order",
  why: "the last write is the last one even when the clock was set back since",
  up(db) {
    db.exec(`
      ALTER TABLE journal ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
      UPDATE journal SET number = (SELECT count(*) FROM journal AS earlier WHERE earlier.began_at <= journal.began_at);
      CREATE INDEX journal_order ON journal (number);
    `);
  },
});
