/** Which sessions are open: Claude Code writes a file for each of its running processes. */
import { join } from "node:path";
import { isAlive, startTicks } from "../../platform/processes.ts";
import { isErrno, reasonOf, type SessionFs } from "../../platform/session-fs.ts";
import { asNumber, asString, isObject } from "../jsonl.ts";
import type { OnDisk } from "../source.ts";
import type { Report } from "./survey.ts";

export interface Holder {
  readonly path: string;
  readonly pid: number;
  readonly session: string;
  /** Whether the process still runs, and is the one that wrote the file. */
  readonly isRunning: boolean;
}

export async function findHolders(fs: SessionFs, root: string, report: Report): Promise<Holder[]> {
  const folder = join(root, "sessions");
  const holders: Holder[] = [];
  for (const name of await names(fs, folder, report)) {
    const holder = await readHolder(fs, join(folder, name), report);
    if (holder) holders.push(holder);
  }
  return holders;
}

/** What is wrong with the files of processes is for `examine` to say. */
export async function owners(
  fs: SessionFs,
  root: string,
  sessions: readonly OnDisk[],
): Promise<Map<string, number>> {
  const running = (await findHolders(fs, root, () => undefined)).filter((holder) => holder.isRunning);
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

async function readHolder(fs: SessionFs, path: string, report: Report): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse(Buffer.from(await fs.read(path)).toString("utf8"));
    const pid = isObject(value) ? asNumber(value.pid) : undefined;
    const session = isObject(value) ? asString(value.sessionId) : undefined;
    if (!isObject(value) || pid === undefined || session === undefined) return undefined;
    return { path, pid, session, isRunning: isAlive(pid) && isSameProcess(pid, asString(value.procStart)) };
  } catch (error) {
    // The process may end, and take its file along, while we look.
    if (!isErrno(error, "ENOENT"))
      report({ code: "sidecar-unreadable", path, message: `a running process: ${reasonOf(error)}` });
    return undefined;
  }
}

/** Process ids are used again; the start time tells. Where the system does not say, the id alone has to do. */
function isSameProcess(pid: number, procStart: string | undefined): boolean {
  const ticks = startTicks(pid);
  return procStart === undefined || ticks === undefined || ticks === procStart;
}
