import { defineMigration } from "../../migration.ts";

export default defineMigration({
  id: "0008-tags",
  why: "no agent has a field for the tags that people give sessions",
  up(db) {
    db.exec(`
      CREATE TABLE tags (
        source    TEXT NOT NULL,
        session   TEXT NOT NULL,   -- the agent's id; no foreign key: a session may be gone, and come back
        tag       TEXT NOT NULL,
        tagged_at TEXT NOT NULL,
        PRIMARY KEY (source, session, tag)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE tag_marks (
        mark TEXT NOT NULL         -- another one after every change, by which the store knows that its copy is current
      ) STRICT;
    `);
  },
});
