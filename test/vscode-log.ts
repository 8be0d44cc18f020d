/** Made-up chats of VS Code in memory, and what our reader tells of them. */

import type { Problem } from "../src/model/problem.ts";
import type { ContextMessage } from "../src/model/session/context.ts";
import type { Artifact, Event, Session } from "../src/model/session/session.ts";
import { createMemoryFs } from "../src/platform/fs/memory.ts";
import type { ReadOptions } from "../src/sources/source.ts";
import { context } from "../src/sources/vscode/context.ts";
import { read } from "../src/sources/vscode/read.ts";

export const STORE = "/User/workspaceStorage/w";
export const PATH = `${STORE}/chatSessions/s.jsonl`;
export const START = Date.UTC(2026, 5, 3, 9);

export const message = (text: string): { text: string; parts: object[] } => ({
  text,
  parts: [{ kind: "text", text, range: { start: 0, endExclusive: text.length } }],
});
export const turn = (text: string, response: unknown[], more: object = {}): object => ({
  requestId: `request_${text}`,
  timestamp: START,
  message: message(text),
  response,
  modelState: { value: 1, completedAt: START + 5000 },
  ...more,
});
export const sessionOf = (...requests: unknown[]): Record<string, unknown> => ({
  version: 3,
  sessionId: "s",
  creationDate: START,
  responderUsername: "GitHub Copilot",
  customTitle: "Made up",
  requests,
});
export const log = (...records: unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

export async function readFiles(
  files: Record<string, string>,
  options?: ReadOptions,
  more: Partial<Artifact> = {},
): Promise<{ session: Session; events: Event[]; problems: Problem[]; codes: string[] }> {
  const path = more.path ?? PATH;
  const fingerprint = { size: files[path]?.length ?? 0, mtimeMs: 0, ino: 1 };
  const events: Event[] = [];
  const problems: Problem[] = [];
  const session = await read(
    createMemoryFs(files),
    { source: "vscode", id: "s", root: "/User", path, fingerprint, ...more },
    { event: (event) => void events.push(event), problem: (problem) => void problems.push(problem) },
    options,
  );
  return { session, events, problems, codes: problems.map((problem) => problem.code) };
}
export const readTurns = (...turns: unknown[]) =>
  readFiles({ [PATH]: log({ kind: 0, v: sessionOf(...turns) }) });
export const bare = (events: readonly Event[]): object[] =>
  events.map(({ origin: _origin, time: _time, id: _id, ...event }) => event);

/** What the model would receive of a session that is held as a whole. */
export async function contextOfState(state: object): Promise<ContextMessage[]> {
  const text = log({ kind: 0, v: state });
  const fingerprint = { size: text.length, mtimeMs: 0, ino: 1 };
  const artifact = { source: "vscode", id: "s", root: "/User", path: PATH, fingerprint } as const;
  const messages = await context(createMemoryFs({ [PATH]: text }), artifact);
  return messages.map(({ origin: _, turn: __, ...message }) => message);
}
