/**
 * Lets VS Code's own code judge sessions: its `ChatSessionStore` and `ChatModel`, taken from npm, load a folder of
 * `workspaceStorage` and say what they make of it. What they want to write stays in memory.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type HostServices,
  loadVsCode,
  type RawModel,
  type RawSession,
  type VsCode,
} from "./vscode-modules.ts";

export interface JudgedTurn {
  readonly user: string;
  /** The answer as VS Code would copy it: texts and links, no tool calls. */
  readonly assistant: string;
}

export interface JudgedSession {
  readonly id: string;
  /** In VS Code's list, and not filtered out of it. */
  readonly listed: boolean;
  /** Undefined when VS Code cannot open the session at all. */
  readonly turns?: readonly JudgedTurn[];
  readonly title?: string;
  /** Turns that are stored, which VS Code may show fewer of. */
  readonly stored?: number;
  /** VS Code takes it for a foreign session, which it never saves. */
  readonly imported?: boolean;
  /** Why the next save would lose or spoil something; undefined when it would work. */
  readonly saveFails?: string;
  /** What VS Code wrote to its own log. */
  readonly complaints: readonly string[];
}

export interface Judgement {
  readonly sessions: readonly JudgedSession[];
  /** False when VS Code would throw its list of sessions away. */
  readonly indexAccepted: boolean;
}

/** VS Code opens it whole, without a complaint, and could go on saving it. */
export const isSound = (judged: JudgedSession): boolean =>
  judged.turns !== undefined &&
  judged.turns.length === judged.stored &&
  judged.imported === false &&
  judged.saveFails === undefined &&
  judged.complaints.length === 0;

export const INDEX_KEY = "chat.ChatSessionStore.index";

/** Judges one folder of `workspaceStorage`: every session that it lists or holds. */
export async function judgeWorkspace(folder: string): Promise<Judgement> {
  const vscode = await loadVsCode();
  const complaints: string[] = [];
  const indexText = readIndex(join(folder, "state.vscdb"));
  const store = vscode.createStore(hostServices(vscode, folder, indexText, complaints));
  const entries = await store.getIndex();
  const sessions: JudgedSession[] = [];
  for (const id of new Set([...Object.keys(entries), ...idsIn(join(folder, "chatSessions"))])) {
    const entry = entries[id];
    if (entry?.isExternal) continue;
    complaints.length = 0;
    const data = await store.readSession(id);
    const verdict = data ? judgeSession(vscode, data, id, fileOf(folder, id), complaints) : {};
    sessions.push({
      id,
      listed: entry !== undefined && entry.initialLocation === "panel" && !entry.isEmpty,
      ...verdict,
      complaints: [...complaints],
    });
  }
  const expected = indexText === undefined ? 0 : countEntries(indexText);
  return { sessions, indexAccepted: Object.keys(entries).length === expected };
}

function judgeSession(
  vscode: VsCode,
  data: RawSession,
  id: string,
  file: string,
  complaints: string[],
): Omit<JudgedSession, "id" | "listed" | "complaints"> {
  let model: RawModel | undefined;
  try {
    model = vscode.createModel(data, id, complaints);
    const saveFails = trySave(vscode, model, file);
    return {
      turns: model.getRequests().map((request) => ({
        user: request.message.text,
        assistant: request.response?.response.getMarkdown() ?? "",
      })),
      title: model.title,
      stored: data.value.requests.length,
      imported: model.isImported,
      ...(saveFails !== undefined && { saveFails }),
    };
  } catch (error) {
    // VS Code itself would have thrown here, and shown nothing.
    complaints.push(error instanceof Error ? error.message : String(error));
    return {};
  } finally {
    model?.dispose();
  }
}

/** Saves the way VS Code would and reads that back. */
function trySave(vscode: VsCode, model: RawModel, file: string): string | undefined {
  if (model.initialLocation !== "panel") return "VS Code stores sessions of the chat panel only";
  try {
    const { op, data } = model.dataSerializer.write(model);
    const before = op === "append" ? readFileSync(file) : Buffer.alloc(0);
    const after = Buffer.concat([before, Buffer.from(data.buffer)]);
    if (op === "append" && before.at(-1) !== 0x0a) return "the last line has no line feed";
    const again = vscode.readLog(after);
    const kept = again.requests.length;
    return kept === model.getRequests().length ? undefined : `only ${kept} turns would be left`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function hostServices(
  vscode: VsCode,
  folder: string,
  indexText: string | undefined,
  complaints: string[],
): HostServices {
  return {
    workspaceId: basename(folder),
    workspaceHome: dirname(folder),
    indexText,
    complaints,
    readFile: (path) => {
      try {
        return readFileSync(path);
      } catch (error) {
        throw vscode.fileError(error as NodeJS.ErrnoException);
      }
    },
  };
}

function readIndex(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const row = db.prepare("SELECT value FROM ItemTable WHERE key = ?").get(INDEX_KEY);
    return typeof row?.value === "string" ? row.value : undefined;
  } finally {
    db.close();
  }
}

function countEntries(text: string): number {
  try {
    return Object.keys(JSON.parse(text)?.entries ?? {}).length;
  } catch {
    return -1; // VS Code cannot accept what is not JSON
  }
}

const idsIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => name.replace(/\.jsonl?$/, "")) : [];

const fileOf = (folder: string, id: string): string => {
  const log = join(folder, "chatSessions", `${id}.jsonl`);
  return existsSync(log) ? log : join(folder, "chatSessions", `${id}.json`);
};
