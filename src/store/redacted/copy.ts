/**
 * Keeps a copy of the store without secrets, for answers that leave the machine. Whatever is asked of it (an order, a
 * length, a search for the beginning of a word) can tell nothing of a secret that is not there.
 */
import type { Redactor } from "../../model/redact/redact.ts";
import { beginInTurn, type Database } from "../../platform/sqlite/sqlite.ts";
import { learnNames, NAMING_TABLE, sweepNamed } from "./named-secrets.ts";
import { createSessionCopy, type SessionCopy } from "./session-copy.ts";
import { areWholeTablesDue, copyWholeTables } from "./whole-tables.ts";

export interface CopyOptions {
  readonly redactor: Redactor;
  /** Of this program: another version may know more kinds of secrets, so it copies everything anew. */
  readonly version: string;
  /** How much of each tool's output the store has, in characters. */
  readonly outputHead: number;
  readonly signal?: AbortSignal;
  /** What is not copied after so long waits for the next time. */
  readonly withinMs?: number;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** How long to wait for another process that writes. */
  readonly patienceMs: number;
}

/** A batch is committed after so long, and so often signals and timers are heard. */
const BATCH_MS = 1000;
const BREATH_MS = 25;
/** Sessions that turn out to have a secret are copied again; they name nothing new. */
const MOST_ROUNDS = 3;

/** Brings the copy up to date with the store. False when it was stopped half-way; it goes on the next time. */
export async function copyRedacted(from: Database, to: Database, options: CopyOptions): Promise<boolean> {
  if (!hasOwnTables(to) && !(await write(to, options, () => addOwnTables(to)))) return false;
  learnNames(from, to, options.redactor);
  const { withinMs = Number.POSITIVE_INFINITY } = options;
  const end = Date.now() + withinMs;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const isWhole = await copyChanged(from, to, options, end);
    // Also when time is up: what is there already is asked, too.
    const swept = await sweep(from, to, options);
    if (!isWhole || swept === "stopped") return false;
    if (swept === "clean") return true;
  }
  return true;
}

/** Takes sessions away that have a secret which was named since they were copied. */
async function sweep(
  from: Database,
  to: Database,
  options: CopyOptions,
): Promise<"clean" | "removed" | "stopped"> {
  const { redactor, outputHead, signal } = options;
  const found = await sweepNamed(from, to, redactor, {
    breathe: createBreathing(),
    isStopped: () => signal?.aborted === true,
  });
  if (!found) return signal?.aborted ? "stopped" : "clean";
  const isWritten = await write(to, options, () => {
    const copy = createSessionCopy({ from, to, redactor, outputHead });
    const erase = to.prepare("DELETE FROM copied_sessions WHERE session_id = ?");
    for (const id of found.sessions) {
      copy.remove(id);
      erase.run(id);
    }
    copyWholeTables(from, to, redactor);
    found.settle();
  });
  if (!isWritten) return "stopped";
  found.confirm();
  return found.sessions.length === 0 ? "clean" : "removed";
}

/** Lets signals and timers be heard every now and then. */
function createBreathing(): (also?: () => void) => Promise<void> {
  let next = Date.now() + BREATH_MS;
  return async (also) => {
    if (Date.now() < next) return;
    also?.();
    await new Promise((resolve) => setImmediate(resolve));
    next = Date.now() + BREATH_MS;
  };
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
  to.prepare("SELECT 1 FROM sqlite_master WHERE name = 'secret_turns'").get() !== undefined;

/** Another process may have been faster. */
const addOwnTables = (to: Database): void => {
  if (!hasOwnTables(to)) to.exec(OWN_TABLES);
};

/** What was copied when, and which turns give secrets away by a name. */
const OWN_TABLES = `
  DROP TABLE IF EXISTS naming_turns;
  DROP TABLE IF EXISTS copied_sessions;
  CREATE TABLE copied_sessions (session_id TEXT PRIMARY KEY, mark TEXT NOT NULL) WITHOUT ROWID;
  ${NAMING_TABLE}
`;

/** False when it was stopped. */
async function copyChanged(
  from: Database,
  to: Database,
  options: CopyOptions,
  end: number,
): Promise<boolean> {
  const { redactor, outputHead, signal, onProgress, patienceMs } = options;
  const isTimeUp = (): boolean => signal?.aborted === true || Date.now() >= end;
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
      // Others may have copied sessions since that name a secret.
      learnNames(from, to, redactor);
      const others = copiedMarks(to);
      const until = Date.now() + BATCH_MS;
      const breathe = createBreathing();
      while (at < work.length && Date.now() < until && !isTimeUp()) {
        const id = work[at++] ?? "";
        const mark = wanted.get(id);
        if (mark === undefined) copy.remove(id);
        else if (others.get(id) !== mark) copy.put(id);
        if (mark === undefined) erase.run(id);
        else note.run(id, mark);
        await breathe(() => onProgress?.({ done: at, total }));
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
