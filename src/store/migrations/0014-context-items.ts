import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0014-context-items",
  why: "the context board of Copilot CLI is read again only when its store has changed",
  up(db) {
    db.exec(`
      -- The sizes and times of the vendors' own stores when their context items were last read.
      CREATE TABLE context_item_marks (mark TEXT NOT NULL);
    `);
  },
});
