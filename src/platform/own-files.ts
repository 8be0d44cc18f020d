/** Files in our own data folder: nothing here ever touches an agent's files. */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";

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

export function removeDatabase(path: string): void {
  for (const companion of ["", "-wal", "-shm", "-journal"]) rmSync(path + companion, { force: true });
}
