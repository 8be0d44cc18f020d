import { defineMigration } from "../migration.ts";
import { createTallies } from "../stats/tally-rows.ts";

export default defineMigration({
  id: "0024-tallies",
  why: "statistics add up what is counted of each session once, instead of every call at every question",
  up(db) {
    db.exec(`
      CREATE TABLE session_tallies (
        session_id  TEXT PRIMARY KEY REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        tally       TEXT NOT NULL      -- JSON, understood by stats/tally.ts
      );
    `);
    // From the rows and not from the agents' files: those of some sessions are gone.
    const tallies = createTallies(db);
    for (const { id } of db.prepare("SELECT id FROM sessions").all())
      tallies.put(String(id), tallies.fromRows(String(id)));
  },
});
