import { defineMigration } from "../../migration.ts";

export default defineMigration({
  id: "0007-earlier-blocks",
  why: "whoever puts a lost state.db back must still find the blocks that it names, so a new one spares them",
  up(db) {
    db.exec(`
      CREATE TABLE earlier_blocks (
        hash TEXT PRIMARY KEY  -- it was in the vault before this state.db was made
      ) STRICT, WITHOUT ROWID;
    `);
  },
});
