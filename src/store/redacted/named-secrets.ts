/**
 * Secrets that a name gives away in one session (`PASSWORD=…`) and that may stand without it in all others. Which turns
 * do so is kept with the copy, never the secrets: so the next process learns them, and one that was stopped half-way
 * leaves nothing behind that nobody looks for.
 */
import { createKnownSecrets } from "../../model/redact/known.ts";
import { createRedactor, type Redactor } from "../../model/redact/redact.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { TEXT_COLUMNS } from "./text-columns.ts";

/** `is_swept`: what it gives away is gone from the whole copy. Turn -1 stands for what belongs to no turn. */
export const NAMING_TABLE = `
  CREATE TABLE secret_turns (
    session_id TEXT NOT NULL, turn_index INTEGER NOT NULL, is_swept INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (session_id, turn_index)
  ) WITHOUT ROWID;
`;
export const OUTSIDE_TURNS = -1;

/** What a redactor has been told so far. */
interface Told {
  /** By session: the state of it whose names are known. */
  readonly marks: Map<string, string>;
  /** Secrets that the copy has no longer. */
  readonly swept: Set<string>;
}
const told = new WeakMap<Redactor, Told>();

const toldTo = (redactor: Redactor): Told => {
  const known = told.get(redactor) ?? { marks: new Map(), swept: new Set() };
  told.set(redactor, known);
  return known;
};

/** Any process may have copied the session that names a secret, and this one has to know it all the same. */
export function learnNames(from: Database, to: Database, redactor: Redactor): void {
  const { marks, swept } = toldTo(redactor);
  const rows = to
    .prepare(
      `SELECT session_id, turn_index, is_swept, coalesce(mark, '') AS mark
         FROM secret_turns LEFT JOIN copied_sessions USING (session_id)`,
    )
    .all();
  const isNew = rows.filter(({ session_id, mark }) => marks.get(String(session_id)) !== mark);
  for (const { session_id, turn_index, is_swept } of isNew) {
    const texts = namingTexts(from, String(session_id), Number(turn_index));
    redactor.learn(texts);
    if (is_swept === 1) for (const secret of secretsIn(texts)) swept.add(secret);
  }
  for (const { session_id, mark } of isNew) marks.set(String(session_id), String(mark));
}

export interface Sweep {
  /** Sessions that have such a secret: they are to be removed, and copied anew. */
  readonly sessions: readonly string[];
  /** Notes that all is done, in the transaction that removes them. */
  settle(): void;
  /** After the transaction. */
  confirm(): void;
}

interface Pace {
  readonly breathe: () => Promise<void>;
  readonly isStopped: () => boolean;
}

/** Looks for what was named since the last time, in all that was copied; nothing where there is nothing to do, or it was stopped. */
export async function sweepNamed(
  from: Database,
  to: Database,
  redactor: Redactor,
  pace: Pace,
): Promise<Sweep | undefined> {
  const rows = to.prepare("SELECT session_id, turn_index FROM secret_turns WHERE is_swept = 0").all();
  if (rows.length === 0) return undefined;
  const { swept } = toldTo(redactor);
  const named = rows.flatMap(({ session_id, turn_index }) =>
    secretsIn(namingTexts(from, String(session_id), Number(turn_index))),
  );
  const isNew = named.filter((secret) => !swept.has(secret));
  const sessions = isNew.length === 0 ? [] : await sessionsWith(to, isNew, pace);
  if (!sessions) return undefined;
  const settled = to.prepare("UPDATE secret_turns SET is_swept = 1 WHERE session_id = ? AND turn_index = ?");
  return {
    sessions,
    settle() {
      for (const { session_id, turn_index } of rows) settled.run(String(session_id), Number(turn_index));
    },
    confirm() {
      for (const secret of isNew) swept.add(secret);
    },
  };
}

/** Whether a name in it gives a secret away, which then has to be found without the name, too. */
export const namesSecret = (texts: unknown): boolean => secretsIn(texts).length > 0;

function secretsIn(texts: unknown): readonly string[] {
  const alone = createRedactor();
  alone.learn(texts);
  return alone.known();
}

function namingTexts(from: Database, session: string, turn: number): unknown[] {
  if (turn !== OUTSIDE_TURNS)
    return Object.values(
      from
        .prepare(
          "SELECT user_message, assistant_response, more FROM turns WHERE session_id = ? AND turn_index = ?",
        )
        .get(session, turn) ?? {},
    );
  return TEXT_COLUMNS.filter(({ table }) => table !== "turns").flatMap(({ table, key, columns }) =>
    from
      .prepare(`SELECT ${columns.join(", ")} FROM ${table} WHERE ${key} = ?`)
      .all(session)
      .flatMap((row) => Object.values(row)),
  );
}

/** So many rows are read at once. */
const AT_ONCE = 200;

/** Word for word, wherever it stands: the index of words finds none that is glued to another one. */
async function sessionsWith(
  to: Database,
  secrets: readonly string[],
  { breathe, isStopped }: Pace,
): Promise<string[] | undefined> {
  const sought = createKnownSecrets();
  for (const secret of secrets) sought.remember(secret, "");
  const found = new Set<string>();
  for (const { table, key, columns } of TEXT_COLUMNS) {
    const at = table === "sessions" ? "number" : "id";
    const next = to.prepare(
      `SELECT ${at} AS at, ${key} AS session, ${columns.join(", ")} FROM ${table} WHERE ${at} > ? ORDER BY ${at} LIMIT ${AT_ONCE}`,
    );
    for (let rows = next.all(-1); rows.length > 0; rows = next.all(Number(rows.at(-1)?.at))) {
      for (const { at: _, session, ...texts } of rows)
        if (Object.values(texts).some((text) => typeof text === "string" && sought.find(text).length > 0))
          found.add(String(session));
      await breathe();
      if (isStopped()) return undefined;
    }
  }
  return [...found];
}
