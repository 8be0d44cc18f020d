/** The full-text index: adding and removing rows, with the same words both times. */
import { innerWords } from "../../model/text/words.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";

/** Ids of texts that are not turns start here; no store will ever hold so many turns. */
export const FIRST_TEXT_ID = 2 ** 40;

/** So many characters of turns are held until they are written. */
const BURST = 2 << 20;

export interface SearchIndex {
  /** Adds a turn, at the latest with `flush`. */
  add(rowid: number, content: string, more: string, parts?: string): void;
  /** Adds a text that is not a turn, at the latest with `flush`. */
  addText(rowid: number, content: string): void;
  /** To be called before each commit. */
  flush(): void;
  /** What was not flushed is forgotten, as after a rollback. */
  forget(): void;
  /** The index keeps no copy of the text, so removing a row needs its old text. */
  remove(rowid: number, content: string, more: string): void;
}

export function createSearchIndex(db: Database): SearchIndex {
  const insert = db.prepare("INSERT INTO search_index (rowid, content, more, parts) VALUES (?, ?, ?, ?)");
  const erase = db.prepare(
    "INSERT INTO search_index (search_index, rowid, content, more, parts) VALUES ('delete', ?, ?, ?, ?)",
  );
  // FTS5 gathers words in memory as long as ids grow, and writes them out when one is smaller than the last: newer
  // sessions are read first, and texts have larger ids than turns, so every session would become a segment of its own.
  // It is also fastest when nothing else comes in between and pushes its words out of the processor's cache.
  const turns = new Map<number, Turn>();
  const texts = new Map<number, string>();
  let waiting = 0;
  const write = (rowid: number, { content, more, parts }: Turn): void =>
    void insert.run(rowid, content, more, parts ?? partsOf(content, more));
  const writeTurns = (): void => {
    for (const [rowid, turn] of inOrder(turns)) write(rowid, turn);
    turns.clear();
    waiting = 0;
  };
  const forget = (): void => {
    turns.clear();
    texts.clear();
    waiting = 0;
  };
  return {
    add(rowid, content, more, parts) {
      turns.set(rowid, { content, more, parts });
      waiting += content.length + more.length;
      if (waiting > BURST) writeTurns();
    },
    addText: (rowid, content) => void texts.set(rowid, content),
    flush() {
      writeTurns();
      for (const [rowid, content] of inOrder(texts)) write(rowid, { content, more: "", parts: undefined });
      texts.clear();
    },
    forget,
    remove(rowid, content, more) {
      if (!turns.delete(rowid) && !texts.delete(rowid))
        erase.run(rowid, content, more, partsOf(content, more));
    },
  };
}

interface Turn {
  readonly content: string;
  readonly more: string;
  readonly parts: string | undefined;
}

/** The words inside of a turn's identifiers, which can be found before the turn is added. */
export const partsOf = (content: string, more: string): string =>
  innerWords(more === "" ? content : `${content}\n${more}`);

const inOrder = <T>(rows: ReadonlyMap<number, T>): [number, T][] => [...rows].sort(([a], [b]) => a - b);

/** The searchable text of a turn, as the view `search_rows` puts it together. */
export const turnContent = (user: string, response: string): string => `${user}\n${response}`;
