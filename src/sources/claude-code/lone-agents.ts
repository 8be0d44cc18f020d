/**
 * Logs of sub-agents that no call leads to: of a session that was deleted, cut or never got the result, or written by
 * a release that did not say which call started them. They are sessions of their own.
 */
import { join } from "node:path";
import { type FileStat, type SessionFs, statEach } from "../../platform/fs/session-fs.ts";
import { asString, isObject } from "../log/jsonl.ts";

const AGENT_LOG = /^(agent-.+)\.jsonl$/s;

/** Its first row says whose it is, long before this many bytes. */
const HEAD = 16 << 10;

export interface AgentFolder {
  readonly path: string;
  /** The files in it. */
  readonly names: readonly string[];
  /** The session whose folder it is in. */
  readonly owner?: string;
}

/** Those that no call leads to. `transcripts` are the sessions that have one, and `transcriptOf` says where it is. */
export async function findLoneAgents(
  fs: SessionFs,
  { path: folder, names, owner }: AgentFolder,
  transcripts: ReadonlySet<string>,
  transcriptOf: (session: string) => string,
): Promise<string[]> {
  const logs = names.filter((name) => AGENT_LOG.test(name));
  const described = new Set(names.filter((name) => name.endsWith(".meta.json")));
  const lone: string[] = [];
  for (const name of logs) {
    // A file beside the log names its call. So it is with all releases of today, and no log needs to be opened.
    const isDescribed = described.has(name.replace(/\.jsonl$/, ".meta.json"));
    if (isDescribed && owner !== undefined && transcripts.has(owner)) continue;
    const path = join(folder, name);
    const session = await sessionOf(fs, path);
    if (session === undefined) continue; // no conversation
    const others = logs.filter((other) => other !== name).map((other) => join(folder, other));
    const agent = name.slice("agent-".length, -".jsonl".length);
    const isLinked = await isNamedIn(fs, agent, [transcriptOf(owner ?? session), ...others]);
    if (!isLinked) lone.push(path);
  }
  return lone;
}

/** The session that started it; nothing for a file that is no log of a sub-agent. */
async function sessionOf(fs: SessionFs, path: string): Promise<string | undefined> {
  try {
    const head = Buffer.from(await fs.read(path, { start: 0, end: HEAD })).toString("utf8");
    const first = head.slice(0, head.indexOf("\n") < 0 ? undefined : head.indexOf("\n"));
    // A prompt may be longer than what is read of it; whose it is stands before.
    if (!/"(?:agentId|isSidechain)":/.test(first)) return undefined;
    return /"sessionId":"([^"\\]+)"/.exec(first)?.[1] ?? fromJson(first);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return undefined; // gone meanwhile, or out of reach: the reader of its session says why
  }
}

function fromJson(line: string): string | undefined {
  try {
    const row: unknown = JSON.parse(line);
    return isObject(row) ? asString(row.sessionId) : undefined;
  } catch {
    return undefined;
  }
}

/** What was found of a log stays true while the files that it was looked for in stay the same. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 2000;

/** Whether a result in one of these logs names the agent: so older releases say which call started it. */
async function isNamedIn(fs: SessionFs, agent: string, paths: readonly string[]): Promise<boolean> {
  const stats = await statEach(fs, paths);
  for (const [at, path] of paths.entries()) {
    const stat = stats[at];
    if (!stat || stat instanceof Error || stat.kind !== "file") continue;
    if (await names(fs, path, stat, agent)) return true;
  }
  return false;
}

async function names(
  fs: SessionFs,
  path: string,
  { size, mtimeMs, ino }: FileStat,
  agent: string,
): Promise<boolean> {
  const key = JSON.stringify([path, size, mtimeMs, ino, agent]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = await holds(fs, path, Buffer.from(`"agentId":${JSON.stringify(agent)}`));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

async function holds(fs: SessionFs, path: string, wanted: Buffer): Promise<boolean> {
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of fs.chunks(path)) {
      const bytes = Buffer.concat([rest, chunk]);
      if (bytes.includes(wanted)) return true;
      rest = bytes.subarray(Math.max(0, bytes.length - wanted.length + 1));
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return false;
}
