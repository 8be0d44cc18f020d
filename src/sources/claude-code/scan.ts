/** Finds the transcripts below a config folder by their names alone; no session file is opened. */
import { basename, join } from "node:path";
import type { Problem } from "../../model/problem.ts";
import type { Artifact } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";
import {
  type FolderEntry,
  isErrno,
  reasonOf,
  type SessionFs,
  statEach,
} from "../../platform/fs/session-fs.ts";
import { orProblem } from "../isolation.ts";
import type { ScanSink } from "../source.ts";
import { agentsFolder, isAgentId, isSessionId, projectsFolder, titleFile } from "./locate.ts";
import type { AgentFolder } from "./lone-agents.ts";

export const SOURCE = "claude-code";

/** The `agent-….jsonl` files that older releases put here are parts of sessions, unless no call leads to them. */
const TRANSCRIPT = /^(?!agent-)(.+)\.jsonl$/is;

export async function scan(fs: SessionFs, root: string, sink: ScanSink): Promise<void> {
  const found = new Map<string, Artifact[]>();
  const projects = projectsFolder(root);
  for (const folder of await list(fs, projects, sink)) {
    const path = join(projects, folder.name);
    if (folder.kind === "other")
      sink.problem(problem(path, "folder-unreadable", "the link leads nowhere or to itself"));
    if (folder.kind !== "folder") continue;
    await orProblem({ source: SOURCE, path }, sink, async () => {
      const entries = await list(fs, path, sink);
      const folders = new Set(entries.flatMap(({ name, kind }) => (kind === "folder" ? [name] : [])));
      for (const entry of entries) {
        const id = TRANSCRIPT.exec(entry.name)?.[1];
        if (id === undefined) continue;
        const artifact = await toArtifact(fs, root, id, join(path, entry.name), folders.has(id), sink);
        if (artifact) found.set(id, [...(found.get(id) ?? []), artifact]);
      }
      for (const log of await loneAgents(fs, path, entries)) {
        const id = basename(log, ".jsonl");
        const artifact = await toArtifact(fs, root, id, log, false, sink);
        if (artifact) found.set(id, [...(found.get(id) ?? []), artifact]);
      }
    });
  }
  for (const copies of found.values()) choose(copies, sink);
}

/** Logs of sub-agents beside the transcripts, and in the folders of sessions. */
async function loneAgents(
  fs: SessionFs,
  project: string,
  entries: readonly FolderEntry[],
): Promise<string[]> {
  const namesOf = (some: readonly FolderEntry[]): string[] =>
    some.flatMap(({ name, kind }) => (kind === "file" ? [name] : []));
  const transcripts = new Set(namesOf(entries).flatMap((name) => TRANSCRIPT.exec(name)?.[1] ?? []));
  const folders: AgentFolder[] = [{ path: project, names: namesOf(entries) }];
  for (const { name: owner, kind } of entries) {
    if (kind !== "folder" || !isSessionId(owner)) continue;
    const path = agentsFolder(join(project, `${owner}.jsonl`));
    folders.push({ path, names: namesOf(await entriesOf(fs, path)), owner });
  }
  const found: string[] = [];
  for (const folder of folders) {
    if (!folder.names.some(isAgentId)) continue;
    const { findLoneAgents } = await import("./lone-agents.ts");
    const transcriptOf = (session: string): string => join(project, `${session}.jsonl`);
    found.push(...(await findLoneAgents(fs, folder, transcripts, transcriptOf)));
  }
  return found;
}

/** Looks at one session again. Nothing when its transcript is not where it was. */
export async function inspect(fs: SessionFs, artifact: Artifact): Promise<Artifact | undefined> {
  const [found] = await statEach(fs, [artifact.path]);
  if (!found || found instanceof Error || found.kind !== "file") return undefined;
  const { size, mtimeMs, ino } = found;
  const latest = Math.max(mtimeMs, await lastChangeBeside(fs, artifact.path));
  return { ...artifact, fingerprint: { size, mtimeMs: latest, ino } };
}

/**
 * Sub-agents write on while the transcript waits for them, and one that is killed never comes back to it; a session is
 * renamed in a file of its own. So these count for the session's time.
 */
async function lastChangeBeside(fs: SessionFs, transcript: string): Promise<number> {
  const stats = await statEach(fs, [titleFile(transcript), ...(await agentLogs(fs, transcript))]);
  const times = stats.map((stat) => (stat && !(stat instanceof Error) ? stat.mtimeMs : 0));
  return times.reduce((latest, time) => Math.max(latest, time), 0);
}

async function agentLogs(fs: SessionFs, transcript: string): Promise<string[]> {
  const folder = agentsFolder(transcript);
  const names = (await entriesOf(fs, folder)).map(({ name }) => name);
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
}

/** None if they cannot be listed; the reader reports why. */
async function entriesOf(fs: SessionFs, folder: string): Promise<FolderEntry[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return [];
  }
}

/** People copy and rename transcripts; their words are kept, though the program no longer shows them. */
const hidden = (artifact: Artifact): Problem => ({
  ...problem(
    artifact.path,
    "session-hidden",
    "the file's name is not a UUID, so Claude Code does not list it",
  ),
  session: artifact.id,
  remedy: { action: "resume", session: formatKey(artifact) },
});

const lone = (artifact: Artifact): Problem => ({
  ...problem(
    artifact.path,
    "session-hidden",
    "the log of a sub-agent to which no call leads, so Claude Code does not show it",
  ),
  session: artifact.id,
  remedy: { action: "show", session: formatKey(artifact) },
});

/** The same id may lie in two folders (a copied project); the one written last counts. A second link to it is no copy. */
function choose(copies: readonly Artifact[], sink: ScanSink): void {
  const [newest, ...older] = copies.toSorted((a, b) => b.fingerprint.mtimeMs - a.fingerprint.mtimeMs);
  if (!newest) return;
  sink.artifact(newest);
  if (isAgentId(newest.id)) sink.problem(lone(newest));
  else if (!isSessionId(newest.id)) sink.problem(hidden(newest));
  for (const copy of older) {
    if (copy.fingerprint.ino !== 0 && copy.fingerprint.ino === newest.fingerprint.ino) continue;
    sink.problem({
      ...problem(copy.path, "twin-stale", `a newer copy of the session is at ${newest.path}`),
      session: copy.id,
    });
  }
}

async function toArtifact(
  fs: SessionFs,
  root: string,
  id: string,
  path: string,
  hasFolder: boolean,
  sink: ScanSink,
): Promise<Artifact | undefined> {
  try {
    const { kind, size, mtimeMs, ino } = await fs.stat(path);
    if (kind !== "file") {
      const message = kind === "folder" ? "a folder with the name of a transcript" : "not a regular file";
      sink.problem({ ...problem(path, "session-unreadable", message), session: id });
      return undefined;
    }
    const latest = hasFolder ? Math.max(mtimeMs, await lastChangeBeside(fs, path)) : mtimeMs;
    return { source: SOURCE, id, root, path, fingerprint: { size, mtimeMs: latest, ino } };
  } catch (error) {
    sink.problem({ ...problem(path, "session-unreadable", reasonOf(error)), session: id });
    return undefined;
  }
}

async function list(fs: SessionFs, path: string, sink: ScanSink): Promise<FolderEntry[]> {
  try {
    return await fs.readdir(path);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) sink.problem(problem(path, "folder-unreadable", reasonOf(error)));
    return [];
  }
}

const problem = (path: string, code: Problem["code"], message: string): Problem => ({
  code,
  source: SOURCE,
  path,
  message,
});
