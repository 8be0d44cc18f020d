/** Copies one session from the store to the copy without secrets: the same rows, with every text redacted. */
import type { Redactor } from "../../model/redact/redact.ts";
import { sessionWords } from "../../model/session/session-words.ts";
import { mapMore } from "../../model/session/turn-text.ts";
import { clip } from "../../model/summary/summary.ts";
import { withoutCutWords } from "../../model/text/cut-words.ts";
import { memberOf } from "../../model/values/member.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { createSearchIndex, FIRST_TEXT_ID, type SearchIndex, turnContent } from "../search/index.ts";
import { CHILD_TABLES } from "../session-writer.ts";
import { createTallies } from "../stats/tally-rows.ts";
import { createTimeIds } from "../time-ids.ts";
import { namesSecret, OUTSIDE_TURNS } from "./named-secrets.ts";
import { CHECKPOINT_TEXTS, PROBLEM_TEXTS, SESSION_TEXTS } from "./text-columns.ts";

export interface SessionCopy {
  /** Replaces what was there. */
  put(id: string): void;
  remove(id: string): void;
  /** To be called before each commit. */
  flush: SearchIndex["flush"];
  /** After a rollback. */
  forget: SearchIndex["forget"];
}

export interface CopyParts {
  readonly from: Database;
  readonly to: Database;
  readonly redactor: Redactor;
  /** How much of each tool's output was kept, in characters: what is so long was cut there. */
  readonly outputHead: number;
}

type Row = Record<string, unknown>;
type Change = (row: Row) => Row;

/** Each store gives its rows its own. */
const OWN_NUMBERS: ReadonlySet<string> = new Set(["id", "number"]);

/** As the indexer shortens the command or path of a call. */
const LABEL = 200;

export function createSessionCopy({ from, to, redactor, outputHead }: CopyParts): SessionCopy {
  const index = createSearchIndex(to);
  /** Of the session at hand: what was not clean, turns left aside. */
  let unclean: string[] = [];
  const redact = (text: string): string => withoutNumbers(redactor.text(text));
  const clean = (value: unknown): unknown => {
    if (typeof value !== "string") return value;
    const cleaned = redact(value);
    if (cleaned !== value) unclean.push(value);
    return cleaned;
  };
  const texts =
    (...columns: string[]): Change =>
    (row) =>
      Object.assign(row, Object.fromEntries(columns.map((column) => [column, clean(memberOf(row, column))])));
  const copies = {
    checkpoints: copier("checkpoints", texts(...CHECKPOINT_TEXTS)),
    session_files: copier("session_files", texts("file_path")),
    session_refs: copier("session_refs", texts("ref_value")),
    tool_calls: copier("tool_calls", (row) => ({ ...row, label: clean(cutAt(row.label, LABEL)) })),
    assistant_usage_events: copier("assistant_usage_events"),
    problems: copier("problems", texts(...PROBLEM_TEXTS)),
    // What the vendor's own list says of it, titles among that, is of use to those who read logs alone.
    fingerprints: copier("fingerprints", (row) => ({ ...row, listed: null })),
  };
  const turns = openTable("turns", ["id"]);
  const searchTexts = openTable("search_texts", ["id"]);
  const sessions = openTable("sessions", ["id"], "id");
  const turnIds = createTimeIds(to, "turns");
  const textIds = createTimeIds(to, "search_texts", { first: FIRST_TEXT_ID });
  const nameSecret = to.prepare("INSERT OR IGNORE INTO secret_turns (session_id, turn_index) VALUES (?, ?)");
  const erase = [...CHILD_TABLES, "secret_turns"].map((table) =>
    to.prepare(`DELETE FROM ${table} WHERE session_id = ?`),
  );
  const eraseSession = to.prepare("DELETE FROM sessions WHERE id = ?");
  const oldTurns = to.prepare(
    "SELECT id, user_message, assistant_response, more FROM turns WHERE session_id = ?",
  );
  const oldTexts = to.prepare("SELECT id, content FROM search_texts WHERE session_id = ?");
  const tallies = createTallies(to);
  const paths = to.prepare("SELECT file_path FROM session_files WHERE session_id = ?");

  function openTable(table: string, also: readonly string[] = [], key = "session_id") {
    const columns = from
      .prepare("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map((row) => String(row.name))
      .filter((name) => !OWN_NUMBERS.has(name) || also.includes(name));
    const select = from.prepare(`SELECT ${columns.join(", ")} FROM ${table} WHERE ${key} = ?`);
    // Two paths may be the same once a secret is gone from both.
    const insert = to.prepare(
      `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    return {
      rows: (id: string): Row[] => select.all(id) as Row[],
      add: (row: Row): number =>
        Number(insert.run(...columns.map((column) => memberOf(row, column) as never)).lastInsertRowid),
    };
  }
  function copier(table: string, change: Change = (row) => row): (id: string) => void {
    const { rows, add } = openTable(table);
    return (id) => {
      for (const row of rows(id)) add(change(row));
    };
  }

  const copyTurns = (
    id: string,
    at: string | undefined,
  ): { readonly raw: string; readonly prompt: string } => {
    let first = { raw: "", prompt: "" };
    for (const row of turns.rows(id)) {
      const before = { user: row.user_message, answer: row.assistant_response, more: row.more };
      const more = mapMore(String(row.more ?? ""), (text, isTool) =>
        redact(isTool ? cutAt(text, outputHead) : text),
      );
      const [user, answer] = [before.user, before.answer].map((text) =>
        typeof text === "string" ? redact(text) : text,
      );
      const rowid = turnIds.of(text(row.timestamp) ?? at);
      turns.add({ ...row, id: rowid, user_message: user, assistant_response: answer, more });
      index.add(rowid, turnContent(String(user), String(answer ?? "")), more);
      const isClean = user === before.user && answer === before.answer && more === before.more;
      if (!isClean && namesSecret(before)) nameSecret.run(id, Number(row.turn_index));
      if (row.turn_index === 0) first = { raw: String(before.user ?? ""), prompt: String(user ?? "") };
    }
    return first;
  };

  const remove = (id: string): void => {
    for (const row of oldTurns.all(id))
      index.remove(
        Number(row.id),
        turnContent(String(row.user_message), String(row.assistant_response ?? "")),
        String(row.more),
      );
    for (const row of oldTexts.all(id)) index.remove(Number(row.id), String(row.content), "");
    for (const statement of erase) statement.run(id);
    eraseSession.run(id);
  };

  return {
    remove,
    put(id) {
      remove(id);
      unclean = [];
      const [session] = sessions.rows(id);
      if (!session) return;
      sessions.add(session); // its rows refer to it
      const { raw, prompt } = copyTurns(id, text(session.updated_at));
      for (const copy of Object.values(copies)) copy(id);
      tallies.put(id, tallies.fromRows(id)); // of paths without secrets
      const title = (text: unknown): unknown =>
        typeof text === "string" ? titleOf(text, raw, prompt, clean) : text;
      const shown: Row = {
        ...texts("cwd", "repository", "branch", "resume", "user_name")({ ...session }),
        title: title(session.title),
        summary: title(session.summary),
        parent_title: title(session.parent_title),
        from_title: title(session.from_title),
      };
      const known = {
        title: String(shown.title),
        repository: text(shown.repository),
        branch: text(shown.branch),
        workspace: text(shown.cwd),
      };
      fill(to, id, { ...shown, words: sessionWords(known, prompt) });
      const about = [shown.title, shown.cwd, shown.repository, shown.branch, shown.user_name]
        .concat(paths.all(id).map((row) => row.file_path))
        .filter((words) => words !== null);
      for (const row of searchTexts.rows(id)) {
        const content = row.source_type === "session" ? about.join("\n") : String(clean(row.content));
        const rowid = textIds.of(text(session.updated_at));
        searchTexts.add({ ...row, id: rowid, content, label: clean(row.label) });
        index.addText(rowid, content);
      }
      if (unclean.length > 0 && namesSecret(unclean)) nameSecret.run(id, OUTSIDE_TURNS);
    },
    flush: index.flush,
    forget() {
      index.forget();
      turnIds.forget();
      textIds.forget();
    },
  };
}

const fill = (db: Database, id: string, row: Row): void =>
  void db
    .prepare(`UPDATE sessions SET ${SESSION_TEXTS.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`)
    .run(...SESSION_TEXTS.map((column) => memberOf(row, column) as never), id);

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Numbers would mean another secret in the copy that the next process makes. */
const withoutNumbers = (redacted: string): string =>
  redacted.replace(/\[redacted: ([^\]#]{1,60}) #\d+\]/g, "[redacted: $1]");

/** Without the last word of a text that ends where it was cut: half a key is still most of a key. */
const cutAt = <T>(value: T, length: number): T | string =>
  typeof value === "string" && value.length >= length ? value.replace(/\S+$/, "") : value;

/** A title is often the beginning of the first prompt, and may end within a secret. */
function titleOf(title: string, raw: string, prompt: string, clean: (value: unknown) => unknown): string {
  const begun = title.replace(/(?:…|\.\.\.)$/, "").trimEnd();
  const [whole, shown] = [oneLine(raw), oneLine(prompt)];
  const isCut = begun !== "" && whole !== begun && whole.startsWith(begun);
  return withoutCutWords(isCut && whole !== shown ? clip(shown, begun.length + 1) : String(clean(title)));
}

const oneLine = (words: string): string => words.replace(/[\s\p{Cc}]+/gu, " ").trim();
