/** Finds the sessions below a Copilot home by names and sizes alone; no log is opened. */
import type { Problem, ProblemCode } from "../../model/problem.ts";
import { isAlive } from "../../platform/processes.ts";
import {
  type FileStat,
  type FolderEntry,
  isErrno,
  reasonOf,
  type SessionFs,
} from "../../platform/session-fs.ts";
import type { ScanSink } from "../source.ts";
import { LOG, pidOfLock, SOURCE, stateFolder, under } from "./locate.ts";
import { WORKSPACE_FILE } from "./workspace.ts";

export async function scan(fs: SessionFs, root: string, sink: ScanSink): Promise<void> {
  const state = stateFolder(root);
  const entries = await listFolder(fs, state, sink);
  const folders = new Set<string>();
  const attempt = async (id: string, path: string, work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error; // a defect of ours, or of the sink
      sink.problem({ ...problem("folder-unreadable", path, reasonOf(error)), session: id });
    }
  };
  for (const entry of entries) {
    // `.session-operation-locks` and the like; ids never start with a dot.
    if (entry.name.startsWith(".")) continue;
    if (entry.kind === "folder") {
      folders.add(entry.name);
      await attempt(entry.name, under(state, entry.name), scanFolder(fs, root, entry.name, sink));
    } else if (entry.kind === "other") {
      sink.problem(
        problem("folder-unreadable", under(state, entry.name), "the link leads nowhere, or in a circle"),
      );
    }
  }
  for (const { name, kind } of entries) {
    const id = /^(?!\.)(.+)\.jsonl$/.exec(name)?.[1];
    if (kind !== "file" || id === undefined) continue;
    const path = under(state, name);
    if (folders.has(id)) {
      const message =
        "an early version's file lies beside the session's folder; Copilot CLI reads the folder";
      sink.problem({ ...problem("twin-stale", path, message), session: id });
    } else await attempt(id, path, scanFlatFile(fs, root, id, sink));
  }
}

async function scanFolder(fs: SessionFs, root: string, id: string, sink: ScanSink): Promise<void> {
  const folder = under(stateFolder(root), id);
  const at = { source: SOURCE, root, id, path: under(folder, LOG) };
  const log = await statOf(fs, at.path);
  if (log) {
    const mtimeMs = Math.max(log.mtimeMs, await renamedAt(fs, folder));
    sink.artifact({ ...at, fingerprint: { size: log.size, mtimeMs, ino: log.ino } });
    return;
  }
  const entries = await fs.readdir(folder);
  if (entries.some(({ name }) => name === LOG)) {
    // A link that leads nowhere, or in a circle: there is a session, and its reader will say why it cannot be read.
    const { mtimeMs } = await fs.stat(folder);
    sink.artifact({ ...at, fingerprint: { size: 0, mtimeMs, ino: 0 } });
    return;
  }
  // A session just opened gets its log with the first prompt.
  if (entries.some(({ name }) => isAlive(pidOfLock(name) ?? 0))) return;
  const message = "the session was opened, but nothing was ever asked, so there is no log";
  sink.problem({ ...problem("session-empty", folder, message), session: id });
}

async function scanFlatFile(fs: SessionFs, root: string, id: string, sink: ScanSink): Promise<void> {
  const path = under(stateFolder(root), `${id}.jsonl`);
  const stat = await statOf(fs, path);
  if (!stat) return; // gone since it was listed
  const { size, mtimeMs, ino } = stat;
  sink.artifact({ source: SOURCE, root, id, path, fingerprint: { size, mtimeMs, ino } });
}

/** Nothing for what is not there, or cannot be followed to where it is. */
async function statOf(fs: SessionFs, path: string): Promise<FileStat | undefined> {
  try {
    return await fs.stat(path);
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ELOOP")) throw error;
    return undefined;
  }
}

/** A session is renamed in workspace.yaml alone, and whoever keeps the old name has to notice. */
async function renamedAt(fs: SessionFs, folder: string): Promise<number> {
  try {
    return (await fs.stat(under(folder, WORKSPACE_FILE))).mtimeMs;
  } catch {
    return 0; // often it is not there; if it cannot be read, the reader says so
  }
}

/** A folder that is not there is empty; one that cannot be opened is a problem. */
export async function listFolder(
  fs: SessionFs,
  path: string,
  sink: Pick<ScanSink, "problem">,
): Promise<FolderEntry[]> {
  try {
    return await fs.readdir(path);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) sink.problem(problem("folder-unreadable", path, reasonOf(error)));
    return [];
  }
}

const problem = (code: ProblemCode, path: string, message: string): Problem => ({
  code,
  source: SOURCE,
  path,
  message,
});
