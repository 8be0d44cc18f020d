import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0012-names",
  why: "sessions are found by the name of the person who asked",
  up(db) {
    db.exec(`
      ALTER TABLE sessions ADD COLUMN user_name TEXT;   -- what the program calls the person who asks
      ALTER TABLE sessions ADD COLUMN agent_name TEXT;  -- and who answers
    `);
  },
});
