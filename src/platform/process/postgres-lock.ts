/** The lock that a PostgreSQL server leaves in its folder: who runs there, and where it is reached. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isErrno } from "../fs/session-fs.ts";
import { pause } from "./background.ts";

export interface RunningPostgres {
  readonly pid: number;
  readonly port: number;
  /** The folder of its socket, or the address where it listens. */
  readonly host: string;
}

const LOOK_MS = 50;
const END_MS = 30_000;

/** A server that was killed leaves its lock; it is honored while the process that it names runs PostgreSQL on this folder. */
export function runningPostgres(folder: string): RunningPostgres | undefined {
  const lock = lockOf(folder);
  if (!existsSync(lock)) return undefined;
  // The process, the folder, the time, the port, the folder of the socket, the address.
  const [pid = "", , , port = "", sockets = "", address = ""] = readFileSync(lock, "utf8").split("\n");
  if (!isPostgres(Number(pid), folder)) return undefined;
  return { pid: Number(pid), port: Number(port), host: sockets === "" ? address : sockets };
}

export const clearLock = (folder: string): void => rmSync(lockOf(folder), { force: true });

/** Ends the server of a process that was killed before it could; what it was doing is rolled back. */
export async function endPostgres(folder: string): Promise<void> {
  const found = runningPostgres(folder);
  if (!found) return;
  signal(found.pid, "SIGINT");
  for (let waited = 0; runningPostgres(folder)?.pid === found.pid; waited += LOOK_MS) {
    if (waited > END_MS) signal(found.pid, "SIGQUIT");
    await pause(LOOK_MS);
  }
}

const lockOf = (folder: string): string => join(folder, "postmaster.pid");

function signal(pid: number, name: "SIGINT" | "SIGQUIT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!isErrno(error, "ESRCH")) throw error;
  }
}

function isPostgres(pid: number, folder: string): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return !existsSync("/proc/self") || readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
  } catch (error) {
    return isErrno(error, "EPERM");
  }
}
