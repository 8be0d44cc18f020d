import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0006-file-evidence",
  why: "files that Copilot CLI's own index would list are told apart from those that only we find",
  up(db) {
    db.exec("ALTER TABLE session_files ADD COLUMN evidence TEXT NOT NULL DEFAULT 'call'");
  },
});
