/** Writes checkpoints, and the texts of files beside a log. The file of a checkpoint counts more than what the log says of it. */
import type { Database } from "../platform/sqlite/sqlite.ts";
import {
  CHECKPOINT_SECTIONS,
  type CheckpointRow,
  SECTION_TYPES,
  type SidecarFile,
  type SidecarSink,
} from "./rows.ts";

export interface SearchText {
  readonly type: string;
  readonly sourceId: string;
  readonly content: string;
  /** What people call it, such as `plan.md`. */
  readonly label?: string;
}

/** The texts of a session that are not turns. */
interface Texts {
  /** Gives back the id of the row. */
  add(id: string, text: SearchText): number;
  /** Rows with their id and content. */
  remove(rows: readonly { readonly [column: string]: unknown }[]): void;
}

export interface SidecarRows {
  /** The session has no rows yet. */
  begin(id: string): void;
  end(): void;
  /** A checkpoint as the log has it. */
  logged(id: string, row: CheckpointRow): void;
  sink(id: string): SidecarSink;
}

/** As Copilot CLI's own store calls a file that the session made for itself. */
const ARTIFACT = "workspace_artifact";
/** Beyond Copilot CLI's own store: people look for a checkpoint by its title, too. */
const TITLE = "checkpoint_title";

export function createSidecarRows(db: Database, texts: Texts): SidecarRows {
  const insert = db.prepare(
    "INSERT INTO checkpoints (session_id, checkpoint_number, title, overview, history, work_done, technical_details, important_files, next_steps, created_at, file) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const select = db.prepare(
    "SELECT title, overview, history, work_done, technical_details, important_files, next_steps, created_at, file FROM checkpoints WHERE session_id = ? AND checkpoint_number = ?",
  );
  const erase = db.prepare("DELETE FROM checkpoints WHERE session_id = ? AND checkpoint_number = ?");
  const numberOf = db.prepare("SELECT checkpoint_number FROM checkpoints WHERE session_id = ? AND file = ?");
  const keepLogged = db.prepare(
    "INSERT OR REPLACE INTO logged_checkpoints (session_id, checkpoint_number, logged) VALUES (?, ?, ?)",
  );
  const selectLogged = db.prepare(
    "SELECT logged FROM logged_checkpoints WHERE session_id = ? AND checkpoint_number = ?",
  );
  const eraseLogged = db.prepare(
    "DELETE FROM logged_checkpoints WHERE session_id = ? AND checkpoint_number = ?",
  );
  const textsOf = db.prepare(
    "SELECT id, content FROM search_texts WHERE session_id = ? AND source_id IN (SELECT value FROM json_each(?))",
  );

  const sourceIdOf = (id: string, number: number, type: string): string => `${id}:ckpt:${number}:${type}`;
  const artifactId = (id: string, { path }: SidecarFile): string => `${id}:workspace:${path}`;
  // Of a session that is written from its beginning, what was added is remembered: the scratch store of a rebuild has no
  // index to find it by.
  let begun: string | undefined;
  const added = new Map<string, { readonly id: number; readonly content: string }>();
  const addText = (id: string, text: SearchText): void => {
    const rowid = texts.add(id, text);
    if (id === begun) added.set(text.sourceId, { id: rowid, content: text.content });
  };
  const removeTexts = (id: string, sourceIds: readonly string[]): void => {
    const known = sourceIds.flatMap((sourceId) => added.get(sourceId) ?? []);
    texts.remove(id === begun ? known : textsOf.all(id, JSON.stringify(sourceIds)));
    for (const sourceId of sourceIds) added.delete(sourceId);
  };
  const removeRow = (id: string, number: number): void => {
    removeTexts(
      id,
      [TITLE, ...Object.values(SECTION_TYPES)].map((type) => sourceIdOf(id, number, type)),
    );
    erase.run(id, number);
  };
  const put = (id: string, row: CheckpointRow, file: string | null): void => {
    if (select.get(id, row.number)) removeRow(id, row.number);
    const sections = CHECKPOINT_SECTIONS.map((name) => row.sections[name] ?? null);
    insert.run(id, row.number, row.title, ...sections, row.at ?? null, file);
    const label = `checkpoint ${row.number}`;
    for (const [type, content] of [
      [TITLE, row.title],
      ...CHECKPOINT_SECTIONS.map((name) => [SECTION_TYPES[name], row.sections[name]]),
    ])
      if (type && content) addText(id, { type, sourceId: sourceIdOf(id, row.number, type), content, label });
  };
  const readLogged = (id: string, number: number): CheckpointRow | undefined => {
    const found = selectLogged.get(id, number);
    return found && (JSON.parse(String(found.logged)) as CheckpointRow);
  };

  return {
    begin(id) {
      begun = id;
    },
    end() {
      begun = undefined;
      added.clear();
    },
    logged(id, row) {
      const known = select.get(id, row.number);
      if (typeof known?.file !== "string") {
        put(id, row, null);
        return;
      }
      keepLogged.run(id, row.number, JSON.stringify(row));
      put(id, withWhatTheLogSays(toRow(row.number, known), row), known.file);
    },
    sink: (id) => ({
      text: (file, content) =>
        addText(id, { type: ARTIFACT, sourceId: artifactId(id, file), content, label: file.name }),
      checkpoint(file, row) {
        const known = select.get(id, row.number);
        if (known && known.file === null)
          keepLogged.run(id, row.number, JSON.stringify(toRow(row.number, known)));
        put(id, withWhatTheLogSays(row, readLogged(id, row.number)), file.name);
      },
      remove(file) {
        removeTexts(id, [artifactId(id, file)]);
        const number = numberOf.get(id, file.name)?.checkpoint_number;
        if (number === undefined) return;
        const logged = readLogged(id, Number(number));
        removeRow(id, Number(number));
        eraseLogged.run(id, Number(number));
        if (logged) put(id, logged, null);
      },
    }),
  };
}

/** The file of a checkpoint has its text; when it was made and what it is called stands in the log. */
function withWhatTheLogSays(file: CheckpointRow, logged: CheckpointRow | undefined): CheckpointRow {
  const at = logged?.at ?? file.at;
  return { ...file, title: logged?.title || file.title, ...(at !== undefined && { at }) };
}

const toRow = (number: number, row: Readonly<Record<string, unknown>>): CheckpointRow => ({
  number,
  title: String(row.title ?? ""),
  sections: Object.fromEntries(
    CHECKPOINT_SECTIONS.flatMap((name) => (row[name] === null ? [] : [[name, String(row[name])]])),
  ),
  ...(row.created_at !== null && { at: String(row.created_at) }),
});
