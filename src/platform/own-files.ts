/** Files in our own data folder: nothing here ever touches an agent's files. */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { isAlive } from "./processes.ts";

export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Renames a database with its companions; returns the new file name. Another process may have been faster. */
export function moveAside(path: string, suffix: string): string {
  for (const companion of ["", "-wal", "-shm"]) {
    try {
      renameSync(path + companion, `${path}.${suffix}${companion}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return basename(`${path}.${suffix}`);
}

/** Removes what killed processes left behind: files that are named after a process that no longer runs. */
export function removeLeftBehind(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(prefix) ? /^\d+/.exec(name.slice(prefix.length))?.[0] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

export function removeDatabase(path: string): void {
  for (const companion of ["", "-wal", "-shm", "-journal"]) rmSync(path + companion, { force: true });
}
