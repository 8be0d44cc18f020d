import { MOVES, NAME_OF_FILE } from "../file-columns.ts";
import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0019-file-names",
  why: "the sessions that changed a file are found by its name, however they spelled its path, and moves among all commands",
  up(db) {
    db.exec(`
      CREATE INDEX idx_session_files_name ON session_files(${NAME_OF_FILE}) WHERE action <> 'read';
      CREATE INDEX idx_tool_calls_moves ON tool_calls(session_id) WHERE ${MOVES};
    `);
  },
});
