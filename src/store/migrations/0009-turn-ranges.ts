import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0009-turn-ranges",
  why: "one turn of a long log is read without the rest of it",
  up(db) {
    db.exec(`
      ALTER TABLE turns ADD COLUMN log_file TEXT;
      ALTER TABLE turns ADD COLUMN byte_start INTEGER;
      ALTER TABLE turns ADD COLUMN byte_end INTEGER;
      ALTER TABLE turns ADD COLUMN log_line INTEGER;
      ALTER TABLE turns ADD COLUMN digest INTEGER;
    `);
  },
});
