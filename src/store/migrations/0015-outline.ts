import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0015-outline",
  why: "the turns of a session and what is wrong with it are listed without reading its log",
  up(db) {
    db.exec(`
      ALTER TABLE turns ADD COLUMN files_changed INTEGER;  -- how many files it created, edited or deleted
      ALTER TABLE turns ADD COLUMN compacted INTEGER;      -- 1 when older turns were replaced by a summary in it
      ALTER TABLE turns ADD COLUMN preamble INTEGER;       -- 1 when something stands before the first prompt; of turn 0
      ALTER TABLE problems ADD COLUMN remedy TEXT;         -- the next step, as JSON
      ALTER TABLE problems ADD COLUMN fix TEXT;            -- the same in words, where no command says it all
    `);
  },
});
