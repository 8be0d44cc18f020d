import { defineMigration } from "../migration.ts";

export default defineMigration({
  id: "0002-search",
  why: "full-text search over turns, checkpoints, titles and paths, holding no second copy of the turns",
  up(db) {
    db.exec(`
      -- Searchable text that is not a turn. Its ids start far above those of turns, so that both can share the index.
      CREATE TABLE search_texts (
        id          INTEGER PRIMARY KEY,
        session_id  TEXT NOT NULL REFERENCES sessions(id) DEFERRABLE INITIALLY DEFERRED,
        source_type TEXT NOT NULL,
        source_id   TEXT NOT NULL,
        content     TEXT NOT NULL
      );
      CREATE INDEX idx_search_texts_session ON search_texts(session_id);

      CREATE VIEW search_rows AS
        SELECT id AS rowid,
               coalesce(user_message, '') || char(10) || coalesce(assistant_response, '') AS content,
               more,
               NULL AS parts,
               session_id,
               'turn' AS source_type,
               session_id || ':turn:' || turn_index AS source_id
          FROM turns
        UNION ALL
        SELECT id, content, NULL, NULL, session_id, source_type, source_id FROM search_texts;

      CREATE VIRTUAL TABLE search_index USING fts5(
        content,
        more,
        parts,                          -- the words inside camelCase identifiers, which the tokenizer keeps whole
        session_id UNINDEXED,
        source_type UNINDEXED,
        source_id UNINDEXED,
        content = 'search_rows',
        tokenize = "unicode61 remove_diacritics 2"
      );
      CREATE VIRTUAL TABLE search_words USING fts5vocab(search_index, 'row');
    `);
  },
});
