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

export async function scan(fs: SessionFs, root: string, sink: ScanSink): Promise<void> {
  const state = stateFolder(root);
  const entries = await listFolder(fs, state, sink);
  const folders = new Set<string>();
  for (const entry of entries) {
    // `.session-operation-locks` and the like; ids never start with a dot.
    if (entry.name.startsWith(".")) continue;
    if (entry.kind === "folder") {
      folders.add(entry.name);
      await scanFolder(fs, root, entry.name, sink);
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
    } else await found(fs, { root, id, path }, sink);
  }
}

async function scanFolder(fs: SessionFs, root: string, id: string, sink: ScanSink): Promise<void> {
  const folder = under(stateFolder(root), id);
  if (await found(fs, { root, id, path: under(folder, LOG) }, sink)) return;
  const entries = await listFolder(fs, folder, sink);
  // A session just opened gets its log with the first prompt.
  if (entries.some(({ name }) => isAlive(pidOfLock(name) ?? 0))) return;
  const message = "the session was opened, but nothing was ever asked, so there is no log";
  sink.problem({ ...problem("session-empty", folder, message), session: id });
}

/** Reports the artifact, or why it cannot be one; false when there simply is no log. */
async function found(
  fs: SessionFs,
  at: { root: string; id: string; path: string },
  sink: ScanSink,
): Promise<boolean> {
  let stat: FileStat;
  try {
    stat = await fs.stat(at.path);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    sink.problem({ ...problem("folder-unreadable", at.path, reasonOf(error)), session: at.id });
    return true;
  }
  const { size, mtimeMs, ino } = stat;
  sink.artifact({ source: SOURCE, ...at, fingerprint: { size, mtimeMs, ino } });
  return true;
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
