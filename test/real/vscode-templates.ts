/** Made-up sessions in VS Code's own shape, to be varied by the tests. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { INDEX_KEY } from "./vscode-judge.ts";

export type Json = Record<string, unknown>;

const START = 1_780_000_000_000;

export const markdown = (value: string): Json => ({ value, supportThemeIcons: false, supportHtml: false });

export const message = (text: string): Json => ({
  text,
  parts: [
    {
      kind: "text",
      text,
      range: { start: 0, endExclusive: text.length },
      editorRange: { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: text.length + 1 },
    },
  ],
});

export const turn = (n: number, user: string, parts: unknown[], more: Json = {}): Json => ({
  requestId: `request_${n}`,
  timestamp: START + n * 1000,
  message: message(user),
  variableData: { variables: [] },
  response: parts,
  responseId: `response_${n}`,
  result: { timings: { firstProgress: 5, totalElapsed: 50 }, metadata: {} },
  modelState: { value: 1, completedAt: START + n * 1000 + 500 },
  ...more,
});

export const session = (id: string, requests: unknown[], more: Json = {}): Json => ({
  version: 3,
  creationDate: START,
  sessionId: id,
  responderUsername: "GitHub Copilot",
  initialLocation: "panel",
  customTitle: "Made up",
  requests,
  ...more,
});

export const entry = (id: string, more: Json = {}): Json => ({
  sessionId: id,
  title: "Made up",
  lastMessageDate: START + 1000,
  initialLocation: "panel",
  isEmpty: false,
  ...more,
});

export const without = (value: Json, ...keys: string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));

export const lines = (...records: unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** The files of one workspace with one session; what is left out is not there. */
export interface Build {
  readonly json?: string | Uint8Array;
  readonly jsonl?: string | Uint8Array;
  /** The list of sessions: by default a good one that names the session. */
  readonly index?: Json | string;
}

export function writeWorkspace(folder: string, id: string, build: Build): void {
  mkdirSync(join(folder, "chatSessions"), { recursive: true });
  if (build.json !== undefined) writeFileSync(join(folder, "chatSessions", `${id}.json`), build.json);
  if (build.jsonl !== undefined) writeFileSync(join(folder, "chatSessions", `${id}.jsonl`), build.jsonl);
  const index = build.index ?? { version: 1, entries: { [id]: entry(id) } };
  const text = typeof index === "string" ? index : JSON.stringify(index);
  writeFileSync(join(folder, "state.vscdb"), toKeyValueDb("ItemTable", { [INDEX_KEY]: text }));
}
