import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0005-vanished",
  why: "every refresh asks which sessions are marked as gone, and there are few",
  up(db) {
    db.exec(
      "CREATE INDEX idx_sessions_vanished ON sessions(source, vendor_id) WHERE vanished_at IS NOT NULL",
    );
  },
});
