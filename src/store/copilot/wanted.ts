/**
 * The rows that Copilot CLI's own store should have of one session: what its reindex would write, plus the titles it
 * loses.
 */
import type { Session } from "../../model/session/session.ts";
import { CHECKPOINT_SECTIONS, type CheckpointRow, type RowSink, SECTION_TYPES } from "../rows.ts";
import type { Row, TableName } from "./tables.ts";

export type WantedRows = Readonly<Record<TableName, readonly Row[]>>;

/** A file that the session made for itself, and that is searchable with it. */
export interface SideText {
  readonly path: string;
  readonly text: string;
}

export interface Collector {
  readonly rows: RowSink;
  /** With what stands beside the log: summaries in files of their own count more than what the log says of them. */
  end(session: Session, checkpoints: readonly CheckpointRow[], texts: readonly SideText[]): WantedRows;
}

export function collectRows(id: string): Collector {
  const turns: Row[] = [];
  const found: Row[] = [];
  const checkpoints = new Map<number, CheckpointRow>();
  // The first one counts, as it does for the program.
  const files = new Map<string, Row>();
  const refs = new Map<string, Row>();
  const search = (type: string, name: string, content: string): void =>
    void found.push({ session_id: id, source_id: `${id}:${name}`, source_type: type, content });

  return {
    rows: {
      turn({ index, user, response = "", startedAt }) {
        turns.push({
          session_id: id,
          turn_index: index,
          user_message: user,
          assistant_response: response === "" ? null : response,
          ...(startedAt !== undefined && { timestamp: startedAt }),
        });
        search("turn", `turn:${index}`, response === "" ? user : `${user}\n${response}`);
      },
      file({ path, tool, evidence, turn, at }) {
        if (evidence !== "tool" || files.has(path)) return;
        files.set(path, {
          session_id: id,
          file_path: path,
          tool_name: tool,
          turn_index: turn ?? null,
          ...(at !== undefined && { first_seen_at: at }),
        });
      },
      ref({ type, value, evidence, turn, at }) {
        if (evidence !== "tool" || refs.has(`${type}:${value}`)) return;
        refs.set(`${type}:${value}`, {
          session_id: id,
          ref_type: type,
          ref_value: value,
          turn_index: turn ?? null,
          ...(at !== undefined && { created_at: at }),
        });
      },
      checkpoint: (row) => void checkpoints.set(row.number, row),
      // Neither has a table there that could be made from the log.
      toolCall: () => undefined,
      usage: () => undefined,
    },
    end(session, besides, texts) {
      for (const row of besides)
        checkpoints.set(row.number, withWhatTheLogSays(row, checkpoints.get(row.number)));
      const summaries = [...checkpoints.values()].map((row) => toCheckpoint(id, row));
      for (const { number, sections } of checkpoints.values())
        for (const name of CHECKPOINT_SECTIONS) {
          const type = SECTION_TYPES[name];
          if (sections[name]) search(type, `ckpt:${number}:${type}`, sections[name]);
        }
      for (const { path, text } of texts) search("workspace_artifact", `workspace:${path}`, text);
      return {
        sessions: [toSession(id, session)],
        turns,
        checkpoints: summaries,
        session_files: [...files.values()],
        session_refs: [...refs.values()],
        search_index: found,
      };
    },
  };
}

/** Of what we do not know the program may know better. */
function toSession(id: string, session: Session): Row {
  const { workspace, repository, branch, title, name = title, createdAt, updatedAt } = session;
  return {
    id,
    ...(workspace !== undefined && { cwd: workspace }),
    ...(repository !== undefined && { repository }),
    ...(branch !== undefined && { branch }),
    ...(name !== "" && { summary: name }),
    ...(createdAt !== undefined && { created_at: createdAt }),
    ...(updatedAt !== undefined && { updated_at: updatedAt }),
  };
}

/** The file of a summary has its text; when it was made and what it is called stands in the log. */
function withWhatTheLogSays(file: CheckpointRow, logged: CheckpointRow | undefined): CheckpointRow {
  const { title = "", at } = logged ?? {};
  return { ...file, title: file.title || title, ...(at !== undefined && { at }) };
}

const toCheckpoint = (id: string, { number, title, sections, at }: CheckpointRow): Row => ({
  session_id: id,
  checkpoint_number: number,
  title,
  ...Object.fromEntries(CHECKPOINT_SECTIONS.map((name) => [name, sections[name] || null])),
  ...(at !== undefined && { created_at: at }),
});
