/** Reads the states of files that the program notes in a transcript: at each prompt, and before each first change. */
import { eachLine } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asObject, asString, decodeLine, type JsonObject } from "../../../log/jsonl.ts";

/** A file as it was at a moment. */
export interface NotedState {
  /** The name of the program's copy; nothing where there was no file. */
  readonly backup: string | undefined;
  /** The folder that the file was really in, links followed. */
  readonly folder?: string;
}

export interface FileHistory {
  /** By the ids of prompts, what the files were before these; by paths as the program names them. */
  readonly at: ReadonlyMap<string, ReadonlyMap<string, NotedState>>;
  /** The files whose first change was in the turn of a prompt. */
  readonly begun: ReadonlyMap<string, ReadonlySet<string>>;
}

const KINDS = [Buffer.from('"file-history-snapshot"'), Buffer.from('"file-history-delta"')];

/** Nothing where the program noted none, as it does in sessions without a terminal. */
export async function readFileHistory(
  fs: SessionFs,
  path: string,
  size: number,
): Promise<FileHistory | undefined> {
  const at = new Map<string, Map<string, NotedState>>();
  const begun = new Map<string, Set<string>>();
  await eachLine(
    fs,
    path,
    (line) => {
      const decoded = decodeLine(line);
      if (decoded.kind !== "record") return;
      const { record } = decoded;
      if (record.type === "file-history-snapshot") takeSnapshot(record, at);
      if (record.type === "file-history-delta") takeDelta(record, at, begun);
    },
    {
      ...{ start: 0, end: size, maxLine: Number.POSITIVE_INFINITY },
      pass: (bytes, start, end) => !KINDS.some((kind) => bytes.subarray(start, end).includes(kind)),
    },
  );
  return at.size === 0 ? undefined : { at, begun };
}

/** A prompt may have several; each says all that was known, and the last one most. */
function takeSnapshot(record: JsonObject, at: Map<string, Map<string, NotedState>>): void {
  const snapshot = asObject(record.snapshot) ?? {};
  const prompt = asString(record.messageId) ?? asString(snapshot.messageId);
  if (prompt === undefined) return;
  const states = at.get(prompt) ?? new Map<string, NotedState>();
  for (const [path, backup] of Object.entries(asObject(snapshot.trackedFileBackups) ?? {})) {
    const state = toState(backup);
    if (state) states.set(path, state);
  }
  at.set(prompt, states);
}

function takeDelta(
  record: JsonObject,
  at: Map<string, Map<string, NotedState>>,
  begun: Map<string, Set<string>>,
): void {
  const [prompt, path] = [asString(record.snapshotMessageId), asString(record.trackingPath)];
  const state = toState(record.backup);
  if (prompt === undefined || path === undefined || !state) return;
  const states = at.get(prompt) ?? new Map<string, NotedState>();
  if (!states.has(path)) states.set(path, state);
  at.set(prompt, states);
  begun.set(prompt, (begun.get(prompt) ?? new Set()).add(path));
}

/** How the program names its copies of files; anything else could lead elsewhere. */
const BACKUP = /^[0-9a-f]{4,64}@v\d{1,9}$/i;
export const isBackupName = (name: string): boolean => BACKUP.test(name);

function toState(value: unknown): NotedState | undefined {
  const backup = asObject(value);
  if (!backup) return undefined;
  const name = asString(backup.backupFileName);
  if (backup.backupFileName !== null && (name === undefined || !isBackupName(name))) return undefined;
  const folder = asString(backup.realParentDir);
  return { backup: name, ...(folder !== undefined && { folder }) };
}
