/** What forks and clones have from other sessions is found once, with the names of those that have it, too. */
import { prepared } from "../../platform/sqlite/prepared.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import type { Candidate } from "./find.ts";

export interface AlsoIn {
  readonly source: string;
  readonly id: string;
  readonly title: string;
}

const LISTED = "IN (SELECT value FROM json_each(?))";

/** Without the title and paths of a clone, and inherited checkpoints, where those of the original were found. */
export function withoutInherited(db: Database, found: readonly Candidate[]): readonly Candidate[] {
  const texts = found.filter(({ where }) => where !== "turn");
  const owners = texts.length > 1 ? ownersOf(db, [...new Set(texts.map(({ session }) => session))]) : [];
  if (owners.length === 0) return found;
  return dropInherited(found, owners, contentsOf(db, texts));
}

/** The same by what is known of the owners, and of the contents of texts. */
export function dropInherited(
  found: readonly Candidate[],
  owners: readonly Owner[],
  contents: ReadonlyMap<number, string>,
): readonly Candidate[] {
  const texts = found.filter(({ where }) => where !== "turn");
  const dropped = new Set<number>();
  for (const { session, owner, isWhole } of owners) {
    const theirs = texts.filter((text) => text.session === owner);
    for (const { id, where } of texts.filter((text) => text.session === session)) {
      const isSame = (other: Candidate): boolean =>
        other.where === where &&
        (where === "session" ? isWhole : contents.get(other.id) === contents.get(id));
      if (theirs.some(isSame)) dropped.add(id);
    }
  }
  return found.filter(({ id }) => !dropped.has(id));
}

export interface Owner {
  readonly session: string;
  readonly owner: string;
  /** The session has no turns of its own. */
  readonly isWhole: boolean;
}

const ownersOf = (db: Database, sessions: readonly string[]): Owner[] =>
  prepared(
    db,
    `SELECT c.session_id AS session, c.owner, s.turn_count = (
                SELECT count(*) FROM turn_copies WHERE session_id = c.session_id) AS isWhole
         FROM turn_copies c JOIN sessions s ON s.id = c.session_id WHERE c.session_id ${LISTED} GROUP BY 1, 2`,
  )
    .all(JSON.stringify(sessions))
    .map((row) => ({
      session: String(row.session),
      owner: String(row.owner),
      isWhole: row.isWhole === 1,
    }));

function contentsOf(db: Database, texts: readonly Candidate[]): Map<number, string> {
  const ids = texts.filter(({ where }) => where !== "session").map(({ id }) => id);
  const rows = prepared(db, `SELECT id, content FROM search_texts WHERE id ${LISTED}`).all(
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [Number(row.id), String(row.content)]));
}

/** The other sessions that have these turns, each turn by its session and number. */
export function findAlsoIn(
  db: Database,
  turns: readonly { readonly session: string; readonly turn: number }[],
): (session: string, turn: number) => readonly AlsoIn[] {
  const none = (): readonly AlsoIn[] => [];
  if (!prepared(db, "SELECT 1 FROM turn_copies LIMIT 1").get()) return none;
  const rows = prepared(
    db,
    `SELECT DISTINCT t.session_id AS session, t.turn_index AS turn, s.source, s.vendor_id AS id, s.title
         FROM json_each(?) asked
         JOIN turns t ON t.session_id = asked.value ->> 0 AND t.turn_index = asked.value ->> 1
         JOIN turns o INDEXED BY idx_turns_work ON o.work = t.work AND o.session_id <> t.session_id
         JOIN sessions s ON s.id = o.session_id
        ORDER BY s.created_at, s.id`,
  ).all(JSON.stringify(turns.map(({ session, turn }) => [session, turn])));
  const key = (session: unknown, turn: unknown): string => `${turn} ${session}`;
  const found = Map.groupBy(rows, (row) => key(row.session, row.turn));
  return (session, turn) =>
    (found.get(key(session, turn)) ?? []).map(({ source, id, title }) => ({
      source: String(source),
      id: String(id),
      title: String(title),
    }));
}
