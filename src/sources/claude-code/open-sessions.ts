/** Which sessions are open: Claude Code writes a file for each of its running processes. */
import { dirname, join } from "node:path";
import { isErrno, reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { judgeLock, type LockState } from "../../platform/process/lock-owner.ts";
import { createProcessLook, type ProcessLook } from "../../platform/process/process-look.ts";
import { isAlive, startTicks } from "../../platform/process/processes.ts";
import { asNumber, asString, isObject } from "../log/jsonl.ts";
import type { OnDisk } from "../source.ts";
import { isClaude } from "./program.ts";
import type { Report } from "./tree/first-pass.ts";

export interface Holder {
  readonly path: string;
  readonly pid: number;
  readonly session: string;
  /** `held`: the process still runs, and is the one that wrote the file. */
  readonly state: LockState;
}

export async function findHolders(
  fs: SessionFs,
  root: string,
  report: Report,
  look: ProcessLook = createProcessLook(),
): Promise<Holder[]> {
  const folder = join(root, "sessions");
  const holders: Holder[] = [];
  for (const name of await names(fs, folder, report)) {
    const holder = await readHolder(fs, join(folder, name), report, look);
    if (holder) holders.push(holder);
  }
  return holders;
}

/** What is wrong with the files of processes is for `diagnose` to say. */
export async function owners(
  fs: SessionFs,
  root: string,
  sessions: readonly OnDisk[],
  look?: ProcessLook,
): Promise<Map<string, number>> {
  const holders = await findHolders(fs, root, () => undefined, look);
  const running = holders.filter(({ state }) => state === "held");
  const pids = new Map(running.map(({ session, pid }) => [session, pid]));
  return new Map(
    sessions.flatMap(({ id, path }) => {
      const pid = pids.get(id);
      return pid === undefined ? [] : [[path, pid] as const];
    }),
  );
}

async function names(fs: SessionFs, folder: string, report: Report): Promise<string[]> {
  // Asking first is much cheaper than an error for each of thousands of sessions.
  if (!(await fs.exists(folder))) return [];
  try {
    return (await fs.readdir(folder)).flatMap(({ name }) => (/^\d+\.json$/.test(name) ? [name] : []));
  } catch (error) {
    if (!isErrno(error, "ENOENT"))
      report({ code: "folder-unreadable", path: folder, message: reasonOf(error) });
    return [];
  }
}

async function readHolder(
  fs: SessionFs,
  path: string,
  report: Report,
  look: ProcessLook,
): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse(Buffer.from(await fs.read(path)).toString("utf8"));
    const pid = isObject(value) ? asNumber(value.pid) : undefined;
    const session = isObject(value) ? asString(value.sessionId) : undefined;
    if (!isObject(value) || pid === undefined || session === undefined) return undefined;
    return { path, pid, session, state: await stateOf(fs, path, pid, asString(value.procStart), look) };
  } catch (error) {
    // The process may end, and take its file along, while we look.
    if (!isErrno(error, "ENOENT"))
      report({ code: "sidecar-unreadable", path, message: `a running process: ${reasonOf(error)}` });
    return undefined;
  }
}

/** Process ids are used again. The start time that the file has tells exactly; else it is judged as any lock is. */
async function stateOf(
  fs: SessionFs,
  path: string,
  pid: number,
  procStart: string | undefined,
  look: ProcessLook,
): Promise<LockState> {
  const ticks = startTicks(pid);
  if (procStart !== undefined && ticks !== undefined && isAlive(pid))
    return ticks === procStart ? "held" : "foreign";
  const writtenAt = fs.isDisk ? (await fs.stat(path)).mtimeMs : undefined;
  return judgeLock({ pid, folder: dirname(path), writtenAt, isProgram: isClaude }, look);
}
