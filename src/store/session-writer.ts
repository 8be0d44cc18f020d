/** Writes one session's rows: replaces all of them, or continues its last turn. The caller holds the transaction. */
import { distinct } from "../model/problem.ts";
import { sessionWords } from "../model/session/session-words.ts";
import { memberOf } from "../model/values/member.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { createCopies, isBuiltAnew } from "./copies.ts";
import { createProblemRows } from "./problem-rows.ts";
import type { RowSink, SessionHead, SidecarSink, TurnRow, UsageRow } from "./rows.ts";
import { createSearchIndex, FIRST_TEXT_ID, turnContent } from "./search/index.ts";
import { createSidecarRows, type SearchText } from "./sidecar-rows.ts";
import type { TouchedFile } from "./stats/tally.ts";
import { type Counting, createTallies, startCounting } from "./stats/tally-rows.ts";
import { createTimeIds } from "./time-ids.ts";
import { toTurnRow } from "./turn-row.ts";
import { createUsageInsert } from "./usage-rows.ts";

export interface SessionWriter {
  /**
   * Takes the rows of a session; what was there under this id is gone. `at` is when it was last written, in milliseconds,
   * for rows that have no time of their own.
   */
  begin(id: string, at?: number): RowSink;
  /** Takes further rows of a session; what is sure to come again is gone. */
  resume(id: string, at?: number): ResumedRows;
  /** Takes the files beside a log. */
  sidecars(id: string, at?: number): SidecarSink;
  end(id: string, head: SessionHead): void;
  remove(id: string): void;
  /** Gives a session that does not record its repository the one of its folder. */
  setRepository(id: string, repository: string | null): void;
  /** Everything that was written is in the database; to be called before each commit. */
  flush(): void;
  /** After a rollback. */
  forget(): void;
}

export interface ResumedRows {
  readonly rows: RowSink;
  /** The last turn so far; a row of the same index takes its place. */
  readonly last: TurnRow | undefined;
}

/** All that belongs to a session, by its `session_id`. */
export const CHILD_TABLES = [
  "turns",
  "turn_copies",
  "call_copies",
  "session_tallies",
  "checkpoints",
  "logged_checkpoints",
  "session_files",
  "session_refs",
  "tool_calls",
  "assistant_usage_events",
  "problems",
  "search_texts",
  "fingerprints",
  "bookmarks",
];
/** Views in that list; their rows are here, and name the session by its number. */
const ROWS_BEHIND: Readonly<Record<string, string>> = {
  tool_calls: "call_rows",
  assistant_usage_events: "usage_rows",
};
const NUMBER_OF = "(SELECT number FROM sessions WHERE id = ?)";
/** A call that waits for its result may hold a whole file; then reading anew costs no more than keeping that. */
const MAX_STATE = 64 << 10;

/** Bump when a row would come out differently for the same file: everything is then read again. */
export const ROWS_VERSION = 28;

export function createSessionWriter(db: Database): SessionWriter {
  const index = createSearchIndex(db);
  const copies = createCopies(db);
  const problemRows = createProblemRows(db);
  const turnsOf = db.prepare(
    "SELECT id, user_message, assistant_response, more FROM turns WHERE session_id = ?",
  );
  const textsOf = db.prepare("SELECT id, content FROM search_texts WHERE session_id = ?");
  const erase = CHILD_TABLES.map((table) => {
    const rows = memberOf(ROWS_BEHIND, table);
    return db.prepare(
      rows ? `DELETE FROM ${rows} WHERE session = ${NUMBER_OF}` : `DELETE FROM ${table} WHERE session_id = ?`,
    );
  });
  const eraseSession = db.prepare("DELETE FROM sessions WHERE id = ?");
  const isAlone = isBuiltAnew(db);
  const turnIds = createTimeIds(db, "turns", { isAlone });
  const textIds = createTimeIds(db, "search_texts", { first: FIRST_TEXT_ID, isAlone });
  /** When the session at hand was last written. */
  let writtenAt: number | undefined;
  const insertTurn = db.prepare(
    "INSERT INTO turns (id, session_id, turn_index, user_message, assistant_response, timestamp, ended_at, more, log_file, byte_start, byte_end, log_line, digest, work, files_changed, compacted, preamble, text_bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const insertText = db.prepare(
    "INSERT INTO search_texts (id, session_id, source_type, source_id, content, label) VALUES (?, ?, ?, ?, ?, ?)",
  );
  // One row at a time: SQLite opens a savepoint for a statement of several rows, and FTS5 writes out the words that it
  // has gathered whenever one opens.
  const insertCall = db.prepare(
    "INSERT INTO call_rows (session, turn_index, tool_name, status, label, result_size, sub_agent) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const insertFile = db.prepare(
    "INSERT INTO session_files (session_id, file_path, tool_name, turn_index, first_seen_at, action, evidence) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET action = excluded.action, tool_name = excluded.tool_name, turn_index = excluded.turn_index, evidence = excluded.evidence WHERE (action = 'read' AND excluded.action <> 'read') OR (excluded.evidence = 'tool' AND evidence <> 'tool')",
  );
  const addLines = db.prepare(
    "UPDATE session_files SET lines_added = coalesce(lines_added, 0) + ?, lines_removed = coalesce(lines_removed, 0) + ? WHERE session_id = ? AND file_path = ?",
  );
  const addUncounted = db.prepare(
    "UPDATE session_files SET uncounted = uncounted + 1 WHERE session_id = ? AND file_path = ?",
  );
  const insertRef = db.prepare(
    "INSERT INTO session_refs (session_id, ref_type, ref_value, turn_index, created_at, evidence) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET evidence = excluded.evidence, turn_index = excluded.turn_index, created_at = excluded.created_at WHERE excluded.evidence = 'tool' AND evidence <> 'tool'",
  );
  const insertUsage = createUsageInsert(db);
  const isCounted = db.prepare("SELECT 1 FROM usage_rows WHERE session = ? AND call_key = ?");
  const numberOf = db.prepare("SELECT number, born_ms FROM sessions WHERE id = ?");
  // First, with its facts to come: rows that refer to it cost several times more while it is not there.
  const insertSession = db.prepare(
    "INSERT INTO sessions (id, born_ms, source, vendor_id, title, path, turn_count, problem_count, bytes, models) VALUES (?, ?, '', '', '', '', 0, 0, 0, '[]')",
  );
  const fillSession = db.prepare(
    "UPDATE sessions SET cwd = ?, repository = ?, repository_evidence = ?, branch = ?, summary = ?, created_at = ?, updated_at = ?, source = ?, vendor_id = ?, title = ?, path = ?, turn_count = ?, problem_count = ?, bytes = ?, models = ?, producer = ?, user_name = ?, agent_name = ?, resume = ?, parent_id = ?, parent_kind = ?, parent_title = ?, parent_evidence = ?, from_source = ?, from_id = ?, from_title = ?, born_ms = coalesce(min(born_ms, ?), born_ms, ?), words = ? WHERE id = ?",
  );
  const insertMark = db.prepare(
    "INSERT OR REPLACE INTO fingerprints (source, path, session_id, size, mtime_ms, ino, read_to, lines, guard, listed, sidecars, sidecar_folders, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const insertBookmark = db.prepare("INSERT INTO bookmarks (session_id, state) VALUES (?, ?)");
  const lastTurn = db.prepare(
    "SELECT id, turn_index, user_message, assistant_response, timestamp, ended_at, more, log_file, byte_start, byte_end, log_line, digest, work, files_changed, compacted, preamble, text_bytes FROM turns WHERE session_id = ? ORDER BY turn_index DESC LIMIT 1",
  );
  const eraseTurn = db.prepare("DELETE FROM turns WHERE id = ?");
  const aboutOf = db.prepare(
    "SELECT id, content FROM search_texts WHERE session_id = ? AND source_type = 'session'",
  );
  const eraseText = db.prepare("DELETE FROM search_texts WHERE id = ?");
  /** What the end of a reading writes, and the next reading writes again. */
  const erasePassing = [
    `DELETE FROM call_rows WHERE session = ${NUMBER_OF} AND status = 'pending'`,
    "DELETE FROM problems WHERE session_id = ? AND passing = 1",
    "DELETE FROM bookmarks WHERE session_id = ?",
  ].map((sql) => db.prepare(sql));
  const headOf = db.prepare("SELECT title, cwd, branch, user_name, updated_at FROM sessions WHERE id = ?");
  const changeRepository = db.prepare(
    "UPDATE sessions SET repository = ?, repository_evidence = ? WHERE id = ?",
  );
  const firstPrompt = db.prepare("SELECT user_message FROM turns WHERE session_id = ? AND turn_index = 0");
  const setWords = db.prepare("UPDATE sessions SET words = ? WHERE id = ?");
  const tallies = createTallies(db);
  /** The first prompt of the session at hand, where that was written now. */
  let opening: { readonly id: string; readonly prompt: string } | undefined;
  /** Of the session at hand, where all of its rows are written now. */
  let counting: Counting | undefined;

  const remove = (id: string): void => {
    copies.leave(id);
    for (const row of turnsOf.all(id)) {
      index.remove(
        Number(row.id),
        turnContent(String(row.user_message), String(row.assistant_response ?? "")),
        String(row.more),
      );
    }
    for (const row of textsOf.all(id)) index.remove(Number(row.id), String(row.content), "");
    for (const statement of erase) statement.run(id);
    eraseSession.run(id);
    turnIds.forget();
    textIds.forget();
  };
  const addText = (
    id: string,
    { type, sourceId, content, label }: SearchText,
    at: string | number | undefined = writtenAt,
  ): number => {
    const rowid = textIds.of(at);
    insertText.run(rowid, id, type, sourceId, content, label ?? null);
    index.addText(rowid, content);
    return rowid;
  };
  const addTurn = (id: string, row: TurnRow): void => {
    const rowid = turnIds.of(row.startedAt ?? writtenAt);
    insertTurn.run(
      rowid,
      id,
      row.index,
      row.user,
      row.response ?? null,
      row.startedAt ?? null,
      row.endedAt ?? null,
      row.more,
      row.range?.file ?? null,
      row.range?.start ?? null,
      row.range?.end ?? null,
      row.range?.line ?? null,
      row.range?.digest ?? null,
      row.work ?? null,
      row.filesChanged ?? 0,
      row.hasCheckpoint ? 1 : 0,
      row.hasPreamble ? 1 : 0,
      row.textBytes ?? null,
    );
    index.add(rowid, turnContent(row.user, row.response ?? ""), row.more, row.parts);
    if (row.index === 0) opening = { id, prompt: row.user };
  };
  const removeTexts = (rows: readonly Record<string, unknown>[]): void => {
    for (const row of rows) {
      index.remove(Number(row.id), String(row.content), "");
      eraseText.run(Number(row.id));
      textIds.release(Number(row.id));
    }
  };
  const beside = createSidecarRows(db, { add: addText, remove: removeTexts });

  /** What a session is about, to be searched with its turns. */
  const addAbout = (id: string, about: About, files: readonly TouchedFile[]): void => {
    const { title, workspace, repository, branch, userName, updatedAt } = about;
    const words = [title, workspace, repository, branch, userName, ...files.map(({ path }) => path)];
    const content = words.filter((each) => each !== undefined).join("\n");
    addText(id, { type: "session", sourceId: id, content }, updatedAt ?? writtenAt);
  };
  const wordsOf = (id: string, about: About): string =>
    sessionWords(about, opening?.id === id ? opening.prompt : text(firstPrompt.get(id)?.user_message));
  const removeAbout = (id: string): void => removeTexts(aboutOf.all(id));

  const rowsOf = (id: string, number: number, counted?: Counting): RowSink => ({
    turn(row) {
      addTurn(id, row);
      counted?.turn(row);
    },
    toolCall(row) {
      insertCall.run(
        number,
        row.turn ?? null,
        row.name,
        row.status,
        row.label ?? null,
        row.resultSize ?? null,
        row.subAgent ? 1 : 0,
      );
      counted?.toolCall(row);
    },
    file({ path, tool, turn, at, action, evidence, lines }) {
      insertFile.run(id, path, tool, turn ?? null, at ?? null, action, evidence);
      if (lines === "unknown") addUncounted.run(id, path);
      else if (lines) addLines.run(lines.added, lines.removed, id, path);
    },
    ref: (row) => void insertRef.run(id, row.type, row.value, row.turn ?? null, row.at ?? null, row.evidence),
    checkpoint: (row) => beside.logged(id, row),
    usage(row) {
      insertUsage(number, row);
      counted?.usage(row);
    },
  });

  return {
    remove,
    flush() {
      index.flush();
      copies.settle();
    },
    forget() {
      copies.forget();
      index.forget();
      beside.end();
      counting = undefined;
      opening = undefined;
      turnIds.forget();
      textIds.forget();
    },
    begin(id, at) {
      writtenAt = at;
      opening = undefined;
      // Each change of ours makes the file anew, which makes no session younger than its copies.
      const known = numberOf.get(id);
      if (known) remove(id);
      copies.touch(id);
      const number = Number(insertSession.run(id, known?.born_ms ?? null).lastInsertRowid);
      beside.begin(id);
      counting = startCounting();
      return rowsOf(id, number, counting);
    },
    resume(id, at) {
      writtenAt = at;
      opening = undefined;
      counting = undefined;
      copies.touch(id);
      for (const statement of erasePassing) statement.run(id);
      removeAbout(id);
      const number = Number(numberOf.get(id)?.number);
      const rows = rowsOf(id, number);
      const found = lastTurn.get(id);
      if (!found) return { rows, last: undefined };
      const last = toTurnRow(found);
      const turn = (row: TurnRow): void => {
        if (row.index === last.index) {
          index.remove(Number(found.id), turnContent(last.user, last.response ?? ""), last.more);
          eraseTurn.run(Number(found.id));
          turnIds.release(Number(found.id));
        }
        rows.turn(row);
      };
      // A reply may have further rows behind others; what is read at once is counted once by the source itself.
      const usage = (row: UsageRow): void => {
        if (row.call === undefined || !isCounted.get(number, row.call)) rows.usage(row);
      };
      return { rows: { ...rows, turn, usage }, last };
    },
    sidecars(id, at) {
      writtenAt = at;
      return beside.sink(id);
    },
    end(id, { session, problems, passing, mark, bornMs }) {
      fillSession.run(
        session.workspace ?? null,
        session.repository ?? null,
        session.repository === undefined ? null : (session.repositoryFrom ?? "session"),
        session.branch ?? null,
        session.name ?? session.title,
        session.createdAt ?? null,
        session.updatedAt ?? null,
        session.source,
        session.id,
        session.title,
        session.path,
        session.turns,
        session.problems,
        session.bytes,
        JSON.stringify(session.models),
        session.producer ?? null,
        session.userName ?? null,
        session.agentName ?? null,
        session.resume ?? null,
        session.parent?.id ?? null,
        session.parent?.kind ?? null,
        session.parent?.title ?? null,
        session.parent ? "session" : null,
        session.handedFrom?.source ?? null,
        session.handedFrom?.id ?? null,
        session.handedFrom?.title ?? null,
        bornMs ?? null,
        bornMs ?? null,
        wordsOf(id, session),
        id,
      );
      const passes = new Set(passing);
      for (const problem of distinct(problems)) problemRows.add(id, problem, passes.has(problem));
      if (session.problems > 0) problemRows.count(id);
      const { fingerprint } = mark;
      const state = mark.stop && JSON.stringify(mark.stop.state);
      const stop = state !== undefined && state.length <= MAX_STATE ? mark.stop : undefined;
      if (stop && state !== undefined) insertBookmark.run(id, state);
      insertMark.run(
        session.source,
        session.path,
        id,
        fingerprint.size,
        fingerprint.mtimeMs,
        fingerprint.ino,
        stop?.readTo ?? null,
        stop?.lines ?? null,
        stop?.guard ?? null,
        mark.listed ? JSON.stringify(mark.listed) : null,
        mark.sidecars?.files ?? null,
        mark.sidecars?.folders ?? null,
        ROWS_VERSION,
      );
      const files = tallies.filesOf(id);
      tallies.put(id, counting?.end(files) ?? tallies.fromRows(id));
      counting = undefined;
      addAbout(id, session, files);
      opening = undefined;
      beside.end();
    },
    setRepository(id, repository) {
      changeRepository.run(repository, repository === null ? null : "folder", id);
      removeAbout(id);
      writtenAt = undefined;
      const { title, cwd, branch, user_name, updated_at } = headOf.get(id) ?? {};
      const about: About = {
        title: String(title),
        workspace: text(cwd),
        repository: repository ?? undefined,
        branch: text(branch),
        userName: text(user_name),
        updatedAt: text(updated_at),
      };
      setWords.run(wordsOf(id, about), id);
      addAbout(id, about, tallies.filesOf(id));
    },
  };
}

/** What a session is found by besides its turns. */
interface About {
  readonly title: string;
  readonly workspace?: string | undefined;
  readonly repository?: string | undefined;
  readonly branch?: string | undefined;
  readonly userName?: string | undefined;
  readonly updatedAt?: string | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
