import { defineMigration } from "../migration.ts";

/** A row of `turns` holds texts of many pages, and what stands behind them is only reached through all of these. */
export default defineMigration({
  id: "0020-turn-places",
  why: "the turns of a long session are listed, and found in its log, without reading what was said in them",
  up(db) {
    db.exec(`
      CREATE INDEX idx_turns_places ON turns(session_id, turn_index, substr(user_message, 1, 400), timestamp, ended_at,
        log_file, byte_start, byte_end, log_line, digest, text_bytes, files_changed, compacted, preamble);
      DROP INDEX idx_tool_calls_session;
      CREATE INDEX idx_tool_calls_session ON tool_calls(session_id, turn_index, status);
    `);
  },
});
