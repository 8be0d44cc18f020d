/** Stores the problems of each session: those found while reading it, and those found by the latest scan. */
import { distinct, type Problem, type ProblemCode, severityOf } from "../model/problem.ts";
import type { Remedy } from "../model/remedy.ts";
import type { SessionKey } from "../model/values/id.ts";
import { type Database, transaction } from "../platform/sqlite/sqlite.ts";

export interface ProblemRows {
  add(session: string, problem: Problem, passing: boolean): void;
  /** Brings the count of a session in line with its rows. */
  count(session: string): void;
  /** Takes what a scan of these sources saw, by the key of the session's rows; writes only where that is news, in a transaction of its own if there is none, and gives back for which sessions it is. */
  noteScan(found: ReadonlyMap<string, readonly Problem[]>, sources: readonly string[]): readonly string[];
}

export function createProblemRows(db: Database): ProblemRows {
  const insert = db.prepare(
    "INSERT INTO problems (session_id, severity, passing, found_by, code, path, line, message, remedy, fix) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  // A scan and a reading may both notice the same thing; it counts once, by the rule of `distinct`.
  const recount = db.prepare(
    `UPDATE sessions SET problem_count = (
       SELECT count(*) FROM (
         SELECT DISTINCT code, path, line, iif(line IS NULL, '', message)
           FROM problems WHERE session_id = sessions.id AND severity <> 'oddity'))
     WHERE id = ?`,
  );
  const seen = db.prepare(
    "SELECT p.session_id AS session, s.source, p.code, p.path, p.line, p.message, p.remedy, p.fix FROM problems p JOIN sessions s ON s.id = p.session_id WHERE p.found_by = 'scan'",
  );
  const forget = db.prepare("DELETE FROM problems WHERE session_id = ? AND found_by = 'scan'");

  const add = (session: string, problem: Problem, passing: boolean, foundBy: "reading" | "scan"): void => {
    insert.run(session, severityOf(problem), passing ? 1 : 0, foundBy, ...toCells(problem));
  };

  return {
    add: (session, problem, passing) => add(session, problem, passing, "reading"),
    count: (session) => void recount.run(session),
    noteScan(found, sources) {
      const before = Map.groupBy(
        seen.all().filter((row) => sources.includes(String(row.source))),
        (row) => String(row.session),
      );
      const gistBefore = (session: string): string =>
        JSON.stringify(
          (before.get(session) ?? []).map(({ session: _, source: __, ...row }) => Object.values(row)),
        );
      const gistNow = (session: string): string => JSON.stringify((found.get(session) ?? []).map(toCells));
      const news = [...new Set([...before.keys(), ...found.keys()])].filter(
        (session) => gistBefore(session) !== gistNow(session),
      );
      if (news.length === 0) return news;
      const write = (): void => {
        for (const session of news) {
          forget.run(session);
          for (const problem of found.get(session) ?? []) add(session, problem, false, "scan");
          recount.run(session);
        }
      };
      if (db.isTransaction) write();
      else transaction(db, write);
      return news;
    },
  };
}

const toCells = ({ code, path, line, message, remedy, fix }: Problem) =>
  [code, path, line ?? null, message, remedy ? JSON.stringify(remedy) : null, fix ?? null] as const;

/** What is known to be wrong with a session, by the key of its rows: the scan's findings first, as in a reading. */
export function findProblems(db: Database, id: string, { source, id: session }: SessionKey): Problem[] {
  const rows = db
    .prepare(
      "SELECT code, path, line, message, remedy, fix FROM problems WHERE session_id = ? ORDER BY found_by DESC, id",
    )
    .all(id);
  return distinct(
    rows.map(({ code, path, line, message, remedy, fix }) => ({
      code: code as ProblemCode,
      source,
      session,
      path: String(path),
      message: String(message),
      ...(line !== null && { line: Number(line) }),
      ...(remedy !== null && { remedy: JSON.parse(String(remedy)) as Remedy }),
      ...(fix !== null && { fix: String(fix) }),
    })),
  );
}
