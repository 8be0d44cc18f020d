/** Finds the sessions below a Copilot home by names and sizes alone; no log is opened. */
import type { Problem, ProblemCode } from "../../model/problem.ts";
import type { Artifact } from "../../model/session/session.ts";
import {
  type FolderEntry,
  isErrno,
  reasonOf,
  type SessionFs,
  type StatAnswer,
  statEach,
} from "../../platform/fs/session-fs.ts";
import type { ScanSink } from "../source.ts";
import { folderOf, insideOf, isRecoveryCopy, LOG, SOURCE, stateFolder, under } from "./workspace/locate.ts";
import { WORKSPACE_FILE } from "./workspace/workspace.ts";

export async function scan(fs: SessionFs, root: string, sink: ScanSink): Promise<void> {
  const state = stateFolder(root);
  const entries = (await listFolder(fs, state, sink)).filter(({ name }) => !name.startsWith("."));
  const folders = entries.filter(isSessionFolder).map(({ name }) => name);
  await scanFolders(fs, root, folders, sink);
  for (const { name, kind } of entries) {
    if (kind !== "other") continue;
    const message = "the link leads nowhere or to itself";
    sink.problem(problem("folder-unreadable", under(state, name), message));
  }
  const flat = entries.flatMap(({ name, kind }) =>
    kind === "file" && name.endsWith(".jsonl") ? [name.slice(0, -".jsonl".length)] : [],
  );
  if (flat.length > 0) await scanFlatFiles(fs, root, flat, new Set(folders), sink);
}

/** `.session-operation-locks` and the like are none; ids never start with a dot. */
export const isSessionFolder = ({ name, kind }: FolderEntry): boolean =>
  kind === "folder" && !name.startsWith(".");

/** Looks at one session again. Nothing when its log is not where it was. */
export async function inspect(fs: SessionFs, artifact: Artifact): Promise<Artifact | undefined> {
  const folder = folderOf(artifact.path);
  const paths = [artifact.path, ...(folder === undefined ? [] : [under(folder, WORKSPACE_FILE)])];
  const [log, workspace] = await statEach(fs, paths);
  return isFound(log) ? { ...artifact, fingerprint: toFingerprint(log, workspace) } : undefined;
}

/** So many at once: the answers are small, and gone before the next ones come. */
const BATCH = 256;

/** Thousands of sessions, each a few microseconds. */
export async function scanFolders(
  fs: SessionFs,
  root: string,
  ids: readonly string[],
  sink: ScanSink,
): Promise<void> {
  const inside = insideOf(stateFolder(root));
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    // Both of one folder before the next: the system finds the second faster.
    const paths = batch.flatMap((id) => [inside(id, LOG), inside(id, WORKSPACE_FILE)]);
    const stats = await statEach(fs, paths);
    for (const [at, id] of batch.entries()) {
      const [path = "", log, workspace] = [paths[2 * at], stats[2 * at], stats[2 * at + 1]];
      if (isFound(log)) {
        sink.artifact({ source: SOURCE, root, id, path, fingerprint: toFingerprint(log, workspace) });
      } else await explain(fs, root, id, log, sink);
    }
  }
}

/** A folder whose log cannot be looked at. */
async function explain(
  fs: SessionFs,
  root: string,
  id: string,
  log: Exclude<StatAnswer, FoundStat>,
  sink: ScanSink,
): Promise<void> {
  const folder = under(stateFolder(root), id);
  try {
    if (log && !isErrno(log, "ELOOP")) throw log;
    const entries = await fs.readdir(folder);
    if (entries.some(({ name }) => name === LOG || isRecoveryCopy(name))) {
      // A link that leads nowhere, or a log of which a copy is left: there is a session, and its reader will say why it
      // cannot be read.
      const { mtimeMs } = await fs.stat(folder);
      const fingerprint = { size: 0, mtimeMs, ino: 0 };
      sink.artifact({ source: SOURCE, root, id, path: under(folder, LOG), fingerprint });
      return;
    }
    // A session just opened gets its log with the first prompt.
    const { findOwner } = await import("./workspace/locks.ts");
    if ((await findOwner(fs, folder)) !== undefined) return;
    const message = "the session was opened but never used, so it has no log";
    sink.problem({ ...problem("session-empty", folder, message), session: id });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error; // a defect of ours, or of the sink
    sink.problem({ ...problem("folder-unreadable", folder, reasonOf(error)), session: id });
  }
}

/** What early versions wrote: a log without a folder. */
async function scanFlatFiles(
  fs: SessionFs,
  root: string,
  ids: readonly string[],
  folders: ReadonlySet<string>,
  sink: ScanSink,
): Promise<void> {
  const state = stateFolder(root);
  const paths = ids.map((id) => under(state, `${id}.jsonl`));
  const stats = await statEach(fs, paths);
  for (const [at, id] of ids.entries()) {
    const [path = "", stat] = [paths[at], stats[at]];
    if (folders.has(id)) {
      const message =
        "there is a file of an early version beside the session's folder; Copilot CLI reads the folder";
      sink.problem({ ...problem("twin-stale", path, message), session: id });
    } else if (isFound(stat)) {
      sink.artifact({ source: SOURCE, root, id, path, fingerprint: toFingerprint(stat, undefined) });
    } else if (stat && !isErrno(stat, "ELOOP")) {
      sink.problem({ ...problem("folder-unreadable", path, reasonOf(stat)), session: id });
    } // otherwise gone since it was listed
  }
}

type FoundStat = Exclude<StatAnswer, Error | undefined>;
export const isFound = (answer: StatAnswer): answer is FoundStat =>
  answer !== undefined && !(answer instanceof Error);

/**
 * A session is renamed only in workspace.yaml, so a change of that file counts as a change of the session. Often the
 * file is missing; if it cannot be read, the reader reports it.
 */
const toFingerprint = (
  { size, mtimeMs, ino }: FoundStat,
  workspace: StatAnswer,
): Artifact["fingerprint"] => ({
  size,
  mtimeMs: isFound(workspace) && workspace.mtimeMs > mtimeMs ? workspace.mtimeMs : mtimeMs,
  ino,
});

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
