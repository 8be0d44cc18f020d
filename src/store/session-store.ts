/** The store for the indexer: what was read before, and writing the rows of sessions. */

import type { Problem } from "../model/problem.ts";
import type { Artifact, SidecarMark } from "../model/session/session.ts";
import type { SessionKey } from "../model/values/id.ts";
import {
  beginInTurn,
  type Database,
  transaction,
  versionOf,
  WRITERS_PAUSE_MS,
} from "../platform/sqlite/sqlite.ts";
import { createContextItems, type Keepers, type KeptItem } from "./context-items.ts";
import { createFolderRows, type FolderRow, type FolderRows } from "./folder-rows.ts";
import { createProblemRows } from "./problem-rows.ts";
import type { RowSink, SessionHead, SidecarSink, Stop } from "./rows.ts";
import { createSessionWriter, type ResumedRows, ROWS_VERSION } from "./session-writer.ts";
import type { TagRecords } from "./state/tags.ts";
import { type FoundSweep, readSweep, type Sweep, writeSweeps } from "./sweeps.ts";
import { replaceTags, tagMark } from "./tag-rows.ts";
import { createVanishedRows } from "./vanished-rows.ts";

export type { FoundSweep } from "./sweeps.ts";

export interface StoredMark {
  readonly source: string;
  readonly path: string;
  readonly session: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly readTo: number | null;
  readonly listed: string | null;
  readonly sidecars: SidecarMark | null;
  readonly version: number;
  readonly gone: number;
}

export type MarksOf = { readonly artifacts: readonly Artifact[] } | { readonly sources: readonly string[] };

export interface SessionStore {
  readonly db: Database;
  readonly rowsVersion: number;
  /** All of them, or those of some artifacts or sources. */
  marks(only?: MarksOf): StoredMark[];
  /** How many sessions there are of which the files were there the last time. */
  countPresent(): number;
  /** What the latest look at everything below this root found. */
  sweepOf(source: string, root: string): Sweep | undefined;
  /** The key of a session's rows: the vendor's id, unless another artifact already has it. */
  idFor(artifact: Pick<Artifact, "source" | "id" | "path">): string;
  /** What the session is called by its source; nothing for one that has no rows. */
  keyOf(id: string): SessionKey | undefined;
  begin(): void;
  /** Begins as soon as no other process writes; false when it is time to stop first. */
  takeTurn(patienceMs: number, isTimeUp: () => boolean): Promise<boolean>;
  /** Between two turns: a pause for others who want to write, too. */
  letOthersIn(): Promise<void>;
  /** Whether another process has written since this was last asked, or the store opened. */
  othersWrote(): boolean;
  commit(): void;
  rollback(): void;
  /** `at` is when the session was last written, in milliseconds, for rows that have no time of their own. */
  replace(id: string, at?: number): RowSink;
  /** Where reading stopped; nothing for a session that has to be read from its beginning. */
  stopOf(id: string): Stop | undefined;
  /** Appends to the existing rows: the last turn is continued. */
  resume(id: string, at?: number): ResumedRows;
  /** Takes what lies beside a log, after the rows of the log. */
  sidecars(id: string, at?: number): SidecarSink;
  /** Notes which files beside a log were read, when the log itself was not. */
  noteSidecars(artifact: Artifact): void;
  /** Within a transaction that is open, and committed with it. */
  keepContextItems(whose: Keepers, items: readonly KeptItem[], mark: string): void;
  /** Within a transaction that is open, and committed with it. */
  keepSweeps(sweeps: readonly FoundSweep[]): void;
  /** What was noted of state.db when the tags were last copied. */
  tagMark(): string | undefined;
  /** Within a transaction that is open, and committed with it. */
  keepTags(tags: TagRecords): void;
  finish(id: string, head: SessionHead): void;
  remove(id: string): void;
  /** Notes that the session's files are gone since then, or that they are there. */
  setVanished(id: string, since: string | undefined): void;
  /** What a scan of these sources saw around their sessions, by their artifacts; gives back those for which it is news. */
  /** What is known of the folders of sessions. */
  folders(): FolderRows;
  /** Takes what is new of folders; gives back the sessions whose repository is another one now. Writes in a transaction of its own if there is none. */
  setFolders(news: readonly FolderRow[]): readonly string[];
  noteScan(seen: ReadonlyMap<Artifact, readonly Problem[]>, sources: readonly string[]): readonly string[];
}

export function createSessionStore(db: Database): SessionStore {
  // Most who open the store only ask: what writes it is made ready when there is something to write.
  const writer = once(() => createSessionWriter(db));
  const vanished = once(() => createVanishedRows(db));
  const owner = once(() => db.prepare("SELECT path FROM sessions WHERE id = ?"));
  const own = once(() => db.prepare("SELECT session_id FROM fingerprints WHERE source = ? AND path = ?"));
  const key = once(() => db.prepare("SELECT source, vendor_id FROM sessions WHERE id = ?"));
  const stop = once(() =>
    db.prepare(
      "SELECT read_to, lines, guard, state FROM bookmarks JOIN fingerprints USING (session_id) WHERE session_id = ? AND read_to IS NOT NULL",
    ),
  );
  let version = versionOf(db);
  return {
    db,
    rowsVersion: ROWS_VERSION,
    marks: (only) => readMarks(db, only),
    countPresent() {
      const row = db
        .prepare(
          `SELECT (SELECT count(*) FROM fingerprints) - (SELECT count(*) FROM fingerprints WHERE session_id IN (
             SELECT id FROM sessions WHERE vanished_at IS NOT NULL)) AS n`,
        )
        .get();
      return Number(row?.n);
    },
    sweepOf: (source, root) => readSweep(db, { source, root }, ROWS_VERSION),
    idFor(artifact) {
      const known = own().get(artifact.source, artifact.path)?.session_id;
      if (known !== undefined) return String(known);
      // It was moved, or brought back to another place.
      const lost = vanished().find(artifact);
      if (lost !== undefined) return lost;
      for (const id of [artifact.id, `${artifact.source}:${artifact.id}`]) if (!owner().get(id)) return id;
      return `${artifact.source}:${artifact.id}@${shortHash(artifact.path)}`;
    },
    keyOf(id) {
      const row = key().get(id);
      return row && { source: String(row.source), id: String(row.vendor_id) };
    },
    begin: () => db.exec("BEGIN IMMEDIATE"),
    takeTurn: (patienceMs, isTimeUp) => beginInTurn(db, patienceMs, isTimeUp),
    letOthersIn: () => new Promise((resolve) => setTimeout(resolve, WRITERS_PAUSE_MS)),
    othersWrote() {
      const before = version;
      version = versionOf(db);
      return version !== before;
    },
    commit() {
      writer().flush();
      db.exec("COMMIT");
    },
    rollback() {
      writer().forget();
      if (db.isTransaction) db.exec("ROLLBACK");
    },
    replace: (id, at) => writer().begin(id, at),
    stopOf(id) {
      const row = stop().get(id);
      if (!row) return undefined;
      const { read_to, lines, guard, state } = row;
      return {
        readTo: Number(read_to),
        lines: Number(lines),
        guard: String(guard),
        state: JSON.parse(String(state)),
      };
    },
    resume: (id, at) => writer().resume(id, at),
    sidecars: (id, at) => writer().sidecars(id, at),
    noteSidecars({ source, path, sidecars }) {
      db.prepare(
        "UPDATE fingerprints SET sidecars = ?, sidecar_folders = ? WHERE source = ? AND path = ?",
      ).run(sidecars?.files ?? null, sidecars?.folders ?? null, source, path);
    },
    keepContextItems: (whose, items, mark) =>
      commitAfter(db, () => createContextItems(db).replace(whose, items, mark)),
    tagMark: () => tagMark(db),
    keepSweeps: (sweeps) => commitAfter(db, () => writeSweeps(db, sweeps, ROWS_VERSION)),
    keepTags: (tags) => commitAfter(db, () => replaceTags(db, tags)),
    finish: (id, head) => writer().end(id, head),
    remove: (id) => writer().remove(id),
    setVanished: (id, since) => vanished().set(id, since),
    folders: () => createFolderRows(db),
    setFolders(news) {
      const rows = createFolderRows(db);
      const write = (): string[] => {
        for (const row of news) rows.set(row);
        rows.tidy();
        const outdated = rows.outdated();
        for (const { session, repository } of outdated) writer().setRepository(session, repository);
        return outdated.map(({ session }) => session);
      };
      if (db.isTransaction) return write();
      const changed = transaction(db, () => {
        const written = write();
        writer().flush();
        return written;
      });
      return changed;
    },
    noteScan(seen, sources) {
      const found = new Map<string, readonly Problem[]>();
      for (const [{ source, path }, problems] of seen) {
        const id = own().get(source, path)?.session_id;
        if (id !== undefined) found.set(String(id), problems);
      }
      return createProblemRows(db).noteScan(found, sources);
    },
  };
}

function commitAfter(db: Database, write: () => void): void {
  try {
    write();
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Loaded here because it is hardly ever needed, and takes longer to load than a search takes. */
const shortHash = (text: string): string =>
  process.getBuiltinModule("node:crypto").hash("sha256", text).slice(0, 8);

/** As arrays, since SQLite's objects cost twice as much, and there are thousands of marks before every question. */
function readMarks(db: Database, only?: MarksOf): StoredMark[] {
  const where = !only ? "" : "sources" in only ? " WHERE source = ?" : " WHERE source = ? AND path = ?";
  const select = db.prepare(
    `SELECT source, path, session_id, size, mtime_ms, ino, read_to, listed, sidecars, sidecar_folders, version,
       session_id IN (SELECT id FROM sessions WHERE vanished_at IS NOT NULL)
     FROM fingerprints${where}`,
  );
  select.setReturnArrays(true);
  const rows = !only
    ? select.all()
    : "sources" in only
      ? only.sources.flatMap((source) => select.all(source))
      : only.artifacts.flatMap(({ source, path }) => select.all(source, path));
  return (rows as unknown as MarkColumns[]).map(
    ([source, path, session, size, mtimeMs, ino, readTo, listed, files, folders, version, gone]) => ({
      source,
      path,
      session,
      size,
      mtimeMs,
      ino,
      readTo,
      listed,
      sidecars: files === null || folders === null ? null : { files, folders },
      version,
      gone,
    }),
  );
}
type MarkColumns = [
  string,
  string,
  string,
  number,
  number,
  number,
  number | null,
  string | null,
  string | null,
  string | null,
  number,
  number,
];
