import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0025-handed-from",
  why: "which session of another program one came from, as it says itself: what we recorded of that may be gone",
  up(db) {
    db.exec(`
      ALTER TABLE sessions ADD COLUMN from_source TEXT;
      ALTER TABLE sessions ADD COLUMN from_id TEXT;      -- no foreign key: it may not be on this machine
      ALTER TABLE sessions ADD COLUMN from_title TEXT;   -- as the copy tells it
    `);
  },
});
