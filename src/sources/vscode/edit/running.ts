/**
 * Is an editor running on the user-data folder around a path? It has its list of sessions in memory then, never looks at
 * the database again, and sooner or later writes over whatever others put there.
 */
import { basename, dirname, join } from "node:path";
import { AppError } from "../../../model/errors.ts";
import { findHolder, isAlive } from "../../../platform/processes.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { DATABASE } from "../stores.ts";

/** The editor's own, which names its main process, and that of code-server's host of extensions. */
const LOCKS = ["code.lock", "vscode.lock"];
/** From a file of an editing session up to the user-data folder. */
const DEEPEST = 7;

export async function findUser(fs: SessionFs, path: string): Promise<number | undefined> {
  let folder = dirname(path);
  for (let depth = 0; depth < DEEPEST; depth++, folder = dirname(folder)) {
    for (const name of LOCKS) {
      const pid = await readPid(fs, join(folder, name));
      if (pid !== undefined && isAlive(pid)) return pid;
    }
  }
  const isDatabase = fs.isDisk && basename(path) === DATABASE && (await fs.exists(path));
  return isDatabase ? findHolder(path) : undefined;
}

/** The number alone, or as a member `pid`. */
async function readPid(fs: SessionFs, path: string): Promise<number | undefined> {
  if (!(await fs.exists(path))) return undefined;
  const text = Buffer.from(await fs.read(path)).toString("utf8");
  const pid = /^\s*(\d+)\s*$|"pid"\s*:\s*(\d+)/.exec(text);
  return pid ? Number(pid[1] ?? pid[2]) : undefined;
}

export const inUse = (pid?: number): AppError =>
  new AppError(
    "vscode-running",
    `VS Code is running${pid === undefined ? "" : ` (process ${pid})`}: it would not see the change, and write over it`,
    "Close all its windows and run the command again, or take a copy in there: rethread export <session> --format vscode, then Chat: Import Chat…",
  );
