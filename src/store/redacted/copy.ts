/**
 * Keeps a copy of the store without secrets, for answers that leave the machine. Whatever is asked of it (an order, a
 * length, a search for the beginning of a word) can tell nothing of a secret that is not there.
 */
import type { Redactor } from "../../model/redact/redact.ts";
import { beginInTurn, type Database } from "../../platform/sqlite/sqlite.ts";
import { createSessionCopy, type SessionCopy } from "./session-copy.ts";
import { areWholeTablesDue, copyWholeTables } from "./whole-tables.ts";

export interface CopyOptions {
  readonly redactor: Redactor;
  /** Of this program: another version may know more kinds of secrets, so it copies everything anew. */
  readonly version: string;
  /** How much of each tool's output the store has, in characters. */
  readonly outputHead: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** How long to wait for another process that writes. */
  readonly patienceMs: number;
}

/** A batch is committed after so long, and so often signals and timers are heard. */
const BATCH_MS = 1000;
const BREATH_MS = 25;
/** What one round finds out about secrets concerns sessions that were copied before; they tell nothing new. */
const MOST_ROUNDS = 3;

/** Brings the copy up to date with the store. False when it was stopped half-way; it goes on the next time. */
export async function copyRedacted(from: Database, to: Database, options: CopyOptions): Promise<boolean> {
  const { redactor } = options;
  if (!hasOwnTables(to) && !(await write(to, options, () => to.exec(OWN_TABLES)))) return false;
  learnNames(from, to, redactor);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = new Set(redactor.known());
    if (!(await copyChanged(from, to, options))) return false;
    const found = redactor.known().filter((secret) => !before.has(secret));
    const concerned = sessionsWith(to, found);
    if (concerned.length === 0) break;
    if (!(await write(to, options, () => forget(to, concerned)))) return false;
  }
  return true;
}

/** In a transaction, as soon as nobody else writes; false when it is time to stop first. */
async function write(to: Database, { patienceMs, signal }: CopyOptions, work: () => void): Promise<boolean> {
  if (!(await beginInTurn(to, patienceMs, () => signal?.aborted === true))) return false;
  try {
    work();
    to.exec("COMMIT");
    return true;
  } catch (error) {
    if (to.isTransaction) to.exec("ROLLBACK");
    throw error;
  }
}

const hasOwnTables = (to: Database): boolean =>
  to.prepare("SELECT 1 FROM sqlite_master WHERE name = 'naming_turns'").get() !== undefined;

/** What was copied when, and which turns give secrets away by a name. */
const OWN_TABLES = `
  CREATE TABLE IF NOT EXISTS copied_sessions (session_id TEXT PRIMARY KEY, mark TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS naming_turns (
    session_id TEXT NOT NULL, turn_index INTEGER NOT NULL, PRIMARY KEY (session_id, turn_index)
  ) WITHOUT ROWID;
`;

const learned = new WeakSet<Redactor>();

/** Another process may have copied the session that names a secret, and this one has to know it all the same. */
function learnNames(from: Database, to: Database, redactor: Redactor): void {
  if (learned.has(redactor)) return;
  const turn = from.prepare(
    "SELECT user_message, assistant_response, more FROM turns WHERE session_id = ? AND turn_index = ?",
  );
  for (const row of to.prepare("SELECT session_id, turn_index FROM naming_turns").all())
    redactor.learn(Object.values(turn.get(String(row.session_id), Number(row.turn_index)) ?? {}));
  learned.add(redactor);
}

/** False when it was stopped. */
async function copyChanged(from: Database, to: Database, options: CopyOptions): Promise<boolean> {
  const { redactor, outputHead, signal, onProgress, patienceMs } = options;
  const isTimeUp = (): boolean => signal?.aborted === true;
  const wanted = marksOf(from, options.version);
  const copied = copiedMarks(to);
  const changed = [...wanted].filter(([id, mark]) => copied.get(id) !== mark).map(([id]) => id);
  const gone = [...copied.keys()].filter((id) => !wanted.has(id));
  const total = changed.length + gone.length;
  const isWholeDue = areWholeTablesDue(from, to);
  if (total === 0 && !isWholeDue) return true;
  let copy: SessionCopy | undefined;
  const erase = to.prepare("DELETE FROM copied_sessions WHERE session_id = ?");
  const note = to.prepare("INSERT OR REPLACE INTO copied_sessions (session_id, mark) VALUES (?, ?)");
  const work = [...gone, ...changed];
  for (let at = 0; ; ) {
    if (!(await beginInTurn(to, patienceMs, isTimeUp))) return false;
    try {
      copy ??= createSessionCopy({ from, to, redactor, outputHead });
      const others = copiedMarks(to);
      const until = Date.now() + BATCH_MS;
      let breathe = Date.now() + BREATH_MS;
      while (at < work.length && Date.now() < until && !isTimeUp()) {
        const id = work[at++] ?? "";
        const mark = wanted.get(id);
        if (mark === undefined) copy.remove(id);
        else if (others.get(id) !== mark) copy.put(id);
        if (mark === undefined) erase.run(id);
        else note.run(id, mark);
        if (Date.now() < breathe) continue;
        onProgress?.({ done: at, total });
        await new Promise((resolve) => setImmediate(resolve));
        breathe = Date.now() + BREATH_MS;
      }
      copy.flush();
      if (at >= work.length) copyWholeTables(from, to, redactor);
      to.exec("COMMIT");
    } catch (error) {
      copy?.forget();
      if (to.isTransaction) to.exec("ROLLBACK");
      throw error;
    }
    onProgress?.({ done: at, total: Math.max(1, total) });
    if (at >= work.length) return true;
    if (isTimeUp()) return false;
  }
}

const copiedMarks = (to: Database): Map<string, string> =>
  new Map(
    to
      .prepare("SELECT session_id, mark FROM copied_sessions")
      .all()
      .map((row) => [String(row.session_id), String(row.mark)]),
  );

/** What changes whenever a session's rows do, the oldest rows first. Hashed, since it has texts in it. */
function marksOf(from: Database, version: string): Map<string, string> {
  const { hash } = process.getBuiltinModule("node:crypto");
  const rows = from
    .prepare(
      `SELECT s.id, s.title, s.summary, s.cwd, s.repository, s.branch, s.updated_at, s.turn_count, s.problem_count,
              s.vanished_at, s.parent_id, s.parent_title, s.parent_kind, s.path, f.size, f.mtime_ms, f.ino, f.read_to,
              f.version, f.sidecars,
              (SELECT min(t.id) FROM turns t INDEXED BY idx_turns_time WHERE t.session_id = s.id) AS first,
              (SELECT concat(count(*), ' ', max(p.id)) FROM problems p WHERE p.session_id = s.id) AS problems
         FROM sessions s LEFT JOIN fingerprints f ON f.session_id = s.id
        ORDER BY first`,
    )
    .all();
  return new Map(rows.map((row) => [String(row.id), hash("sha1", JSON.stringify([version, row]))]));
}

/** Those that have such a secret without its name. */
function sessionsWith(to: Database, secrets: readonly string[]): string[] {
  const find = to.prepare(
    `SELECT DISTINCT session_id FROM search_rows WHERE rowid IN
       (SELECT rowid FROM search_index WHERE search_index MATCH ?)`,
  );
  const words = secrets.filter((secret) => /[\p{L}\p{N}]/u.test(secret));
  return [
    ...new Set(
      words.flatMap((secret) =>
        find.all(`"${secret.replaceAll('"', '""')}"`).map((row) => String(row.session_id)),
      ),
    ),
  ];
}

/** They are copied again. */
function forget(to: Database, sessions: readonly string[]): void {
  const erase = to.prepare("DELETE FROM copied_sessions WHERE session_id = ?");
  for (const id of sessions) erase.run(id);
}
