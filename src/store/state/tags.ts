/** Records the tags that people give sessions. The store has a copy of them, in which they are looked for. */
import { AppError } from "../../model/errors.ts";
import { changeTags, MOST_TAGS, type TaggedSession } from "../../model/session/tags.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";
import { type Database, transaction } from "../../platform/sqlite/sqlite.ts";
import { guarded, openState, openStateIfThere } from "./open.ts";

export interface TagRow {
  readonly source: string;
  readonly session: string;
  readonly tag: string;
  readonly taggedAt: string;
}

export interface TagRecords {
  /** Another one after every change; empty where no tag was ever given. */
  readonly mark: string;
  readonly rows: readonly TagRow[];
}

/** All of them, in the order of their sessions; nothing when they are still those of the mark. */
export function readTags(folder: string, now: () => Date, unless?: string): TagRecords | undefined {
  const db = openStateIfThere(folder, now);
  if (!db) return unless === "" ? undefined : { mark: "", rows: [] };
  try {
    return guarded(folder, () => {
      const mark = String(db.prepare("SELECT mark FROM tag_marks").get()?.mark ?? "");
      if (mark === unless) return undefined;
      const rows = db.prepare("SELECT source, session, tag, tagged_at AS taggedAt FROM tags").all();
      return { mark, rows: rows as unknown as TagRow[] };
    });
  } finally {
    db.close();
  }
}

/** In alphabetical order. */
export function tagsOf(folder: string, now: () => Date, session: SessionKey): readonly string[] {
  const db = openStateIfThere(folder, now);
  if (!db) return [];
  try {
    return guarded(folder, () => tagsIn(db, session));
  } finally {
    db.close();
  }
}

export interface TagChange {
  readonly sessions: readonly SessionKey[];
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Changes the tags of all these sessions, or of none; gives back those that each has then. */
export function recordTags(folder: string, now: () => Date, change: TagChange): TaggedSession[] {
  const db = openState(folder, now);
  try {
    return guarded(folder, () => transaction(db, () => write(db, change, now().toISOString())));
  } finally {
    db.close();
  }
}

function write(db: Database, { sessions, add, remove }: TagChange, at: string): TaggedSession[] {
  const insert = db.prepare(
    "INSERT OR IGNORE INTO tags (source, session, tag, tagged_at) VALUES (?, ?, ?, ?)",
  );
  const drop = db.prepare("DELETE FROM tags WHERE source = ? AND session = ? AND tag = ?");
  const tagged = sessions.map(({ source, id }): TaggedSession => {
    const tags = changeTags(tagsIn(db, { source, id }), { add, remove });
    if (tags.length > MOST_TAGS && add.length > 0)
      throw new AppError(
        "usage",
        `A session has at most ${MOST_TAGS} tags; ${formatKey({ source, id })} would have ${tags.length}`,
        "Remove one of its tags first",
      );
    for (const tag of remove) drop.run(source, id, tag);
    for (const tag of add) insert.run(source, id, tag, at);
    return { source, id, tags };
  });
  db.exec("DELETE FROM tag_marks");
  db.exec("INSERT INTO tag_marks VALUES (lower(hex(randomblob(16))))");
  return tagged;
}

const tagsIn = (db: Database, { source, id }: SessionKey): string[] =>
  db
    .prepare("SELECT tag FROM tags WHERE source = ? AND session = ? ORDER BY tag")
    .all(source, id)
    .map((row) => String(row.tag));
