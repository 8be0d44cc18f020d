import { defineMigration } from "../migration.ts";
import { createSearchIndex, turnContent } from "../search/index.ts";

export default defineMigration({
  id: "0007-search-words",
  why: "words glued to CJK text are found; rows are removed by telling their words, so all must be told alike",
  up(db) {
    db.exec("INSERT INTO search_index (search_index) VALUES ('delete-all')");
    const index = createSearchIndex(db);
    // From the rows and not from the agents' files: those of some sessions are gone.
    for (const row of db.prepare("SELECT id, user_message, assistant_response, more FROM turns").iterate())
      index.add(
        Number(row.id),
        turnContent(String(row.user_message), String(row.assistant_response ?? "")),
        String(row.more),
      );
    for (const row of db.prepare("SELECT id, content FROM search_texts").iterate())
      index.addText(Number(row.id), String(row.content));
    index.flush();
  },
});
