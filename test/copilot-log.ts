/** Made-up Copilot CLI logs in memory, and what our reader tells of them. */
import type { Problem } from "../src/model/problem.ts";
import type { Artifact, Event } from "../src/model/session/session.ts";
import { createMemoryFs } from "../src/platform/fs/memory.ts";
import type { SessionFs } from "../src/platform/fs/session-fs.ts";
import { read } from "../src/sources/copilot-cli/read.ts";
import type { ReadOptions } from "../src/sources/source.ts";

export const ID = "0b6e2c1a-0000-4000-8000-000000000000";
export const FOLDER = `/copilot/session-state/${ID}`;
export const TIME = "2026-01-02T03:04:05.000Z";

export const artifact: Artifact = {
  source: "copilot-cli",
  id: ID,
  root: "/copilot",
  path: `${FOLDER}/events.jsonl`,
  fingerprint: { size: 1234, mtimeMs: 0, ino: 1 },
};

let count = 0;
export const record = (type: string, data: object, more: object = {}) => ({
  type,
  data,
  ...more,
  id: `${(++count).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`,
  timestamp: TIME,
  parentId: null,
});
export const start = record("session.start", {
  sessionId: ID,
  version: 1,
  producer: "copilot-agent",
  copilotVersion: "1.0.102",
  startTime: "2026-01-02T03:04:04.000Z",
  context: { cwd: "/srv/shop" },
});

export const toLog = (...lines: (object | string)[]): string =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

export async function readLog(
  log: string | Buffer,
  files: Record<string, string> = {},
  options: ReadOptions = {},
) {
  const named = Object.entries(files).map(([name, text]) => [`${FOLDER}/${name}`, text]);
  const fs = createMemoryFs({ [artifact.path]: log, ...Object.fromEntries(named) });
  return readFrom(fs, options);
}

export async function readFrom(fs: SessionFs, options: ReadOptions = {}, from: Artifact = artifact) {
  const events: Event[] = [];
  const problems: Problem[] = [];
  const sink = {
    event: (it: Event) => void events.push(it),
    problem: (it: Problem) => void problems.push(it),
  };
  const session = await read(fs, from, sink, options);
  return { session, events, problems };
}
