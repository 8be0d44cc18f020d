/** The turns that touched a file, or that have a commit, a pull request or an issue; newest first. */
import type { NamedRef } from "../model/session/ref-text.ts";
import type { SessionKey } from "../model/values/id.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface Place {
  readonly session: SessionKey & { readonly title: string };
  /** Missing before the first prompt. */
  readonly turn?: number;
  readonly time?: string;
  /** The path, the reference, or a snippet with marks around the words. */
  readonly found: string;
  /** `created`, `edited`, `deleted` or `read`; of a reference, how it is known. */
  readonly how: string;
  /** How the turn began. */
  readonly prompt: string;
  /** Other turns of the session whose tool calls name the file. */
  readonly alsoIn: readonly number[];
}

export interface FoundPlaces {
  readonly places: readonly Place[];
  /** How many there are, regardless of the limit. */
  readonly total: number;
}

const PROMPT = 4000;
const MOST_ALSO = 20;

const COLUMNS = `s.source, s.vendor_id, s.title, x.turn_index, x.session_id, coalesce(t.timestamp, x.at, s.updated_at) AS time,
  substr(t.user_message, 1, ${PROMPT}) AS prompt`;

/** A turn that a fork or clone inherited belongs to the original. */
const OWN = `NOT EXISTS (SELECT 1 FROM turn_copies c WHERE c.session_id = x.session_id AND c.turn_index = x.turn_index)`;

const JOINED = `JOIN sessions s ON s.id = x.session_id
  LEFT JOIN turns t ON t.session_id = x.session_id AND t.turn_index = x.turn_index`;

/** By its path, or any part of one. Files of exactly that name come first, and changes before reading. */
export function placesOfFile(db: Database, file: string, limit: number): FoundPlaces {
  const from = `FROM (SELECT *, first_seen_at AS at FROM session_files WHERE instr(lower(file_path), lower(?1)) > 0) x
    ${JOINED} WHERE ${OWN}`;
  const rows = db
    .prepare(
      `SELECT ${COLUMNS}, x.file_path AS found, x.action AS how ${from}
        ORDER BY lower('/' || replace(x.file_path, '\\', '/')) LIKE lower('%/' || replace(?1, '\\', '/')) DESC,
                 x.action = 'read', time DESC LIMIT ?2`,
    )
    .all(file, limit);
  const others = db.prepare(
    `SELECT DISTINCT turn_index FROM tool_calls
      WHERE session_id = ?1 AND turn_index IS NOT ?2 AND instr(lower(label), lower(?3)) > 0
      ORDER BY turn_index LIMIT ${MOST_ALSO}`,
  );
  const places = rows.map((row) => ({
    ...toPlace(row),
    alsoIn: others
      .all(String(row.session_id), row.turn_index as number | null, file)
      .map((other) => Number(other.turn_index)),
  }));
  return { places, total: countOf(db, from, file) };
}

/** A commit by any start of its hash. */
export function placesOfRefs(db: Database, refs: readonly NamedRef[], limit: number): FoundPlaces {
  const wanted = JSON.stringify(refs.map(({ type, value }) => [type, value]));
  const from = `FROM (SELECT r.*, r.created_at AS at FROM session_refs r JOIN json_each(?1) w
      ON r.ref_type = w.value ->> 0 AND (r.ref_value = w.value ->> 1
         OR (r.ref_type = 'commit' AND length(w.value ->> 1) >= 7
             AND substr(r.ref_value, 1, length(w.value ->> 1)) = w.value ->> 1))) x
    ${JOINED} WHERE ${OWN}`;
  const rows = db
    .prepare(
      `SELECT ${COLUMNS}, x.ref_type || ' ' || x.ref_value AS found, x.evidence AS how ${from}
        ORDER BY x.evidence = 'mentioned', time DESC LIMIT ?2`,
    )
    .all(wanted, limit);
  return { places: rows.map(toPlace), total: countOf(db, from, wanted) };
}

const countOf = (db: Database, from: string, value: string): number =>
  Number(db.prepare(`SELECT count(*) AS total ${from}`).get(value)?.total ?? 0);

const toPlace = (row: Readonly<Record<string, unknown>>): Place => ({
  session: { source: String(row.source), id: String(row.vendor_id), title: String(row.title) },
  ...(row.turn_index !== null && { turn: Number(row.turn_index) }),
  ...(typeof row.time === "string" && { time: row.time }),
  found: String(row.found),
  how: String(row.how ?? ""),
  prompt: String(row.prompt ?? ""),
  alsoIn: [],
});
