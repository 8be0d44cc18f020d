/** The full-text index: adding and removing rows, with the same words both times. */
import { innerWords } from "../model/words.ts";
import type { Database } from "../platform/sqlite.ts";

/** Ids of texts that are not turns start here; no store will ever hold so many turns. */
export const FIRST_TEXT_ID = 2 ** 40;

export interface SearchIndex {
  add(rowid: number, content: string, more: string): void;
  /** The index keeps no copy of the text, so whoever removes a row tells what it said. */
  remove(rowid: number, content: string, more: string): void;
}

export function createSearchIndex(db: Database): SearchIndex {
  const insert = db.prepare("INSERT INTO search_index (rowid, content, more, parts) VALUES (?, ?, ?, ?)");
  const erase = db.prepare(
    "INSERT INTO search_index (search_index, rowid, content, more, parts) VALUES ('delete', ?, ?, ?, ?)",
  );
  const parts = (content: string, more: string): string =>
    innerWords(more === "" ? content : `${content}\n${more}`);
  return {
    add: (rowid, content, more) => void insert.run(rowid, content, more, parts(content, more)),
    remove: (rowid, content, more) => void erase.run(rowid, content, more, parts(content, more)),
  };
}

/** The searchable text of a turn, as the view `search_rows` puts it together. */
export const turnContent = (user: string, response: string): string => `${user}\n${response}`;
