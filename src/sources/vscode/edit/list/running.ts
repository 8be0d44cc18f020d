/**
 * Checks whether an editor is running on the user-data folder of a path. A running editor keeps its list of sessions in
 * memory, never reads the database again, and later overwrites what others wrote there.
 */
import { basename, dirname, join } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { judgeLock, type LockState } from "../../../../platform/process/lock-owner.ts";
import { createProcessLook, type ProcessLook } from "../../../../platform/process/process-look.ts";
import { isEditor } from "../../../machine/editors.ts";
import { DATABASE } from "../../index-db/stores.ts";

/** The editor's own, which names its main process, and that of code-server's host of extensions. */
const LOCKS = ["code.lock", "vscode.lock"];
/** From a file of an editing session up to the user-data folder. */
const DEEPEST = 7;

export async function findUser(
  fs: SessionFs,
  path: string,
  look: ProcessLook = createProcessLook(),
): Promise<number | undefined> {
  let folder = dirname(path);
  for (let depth = 0; depth < DEEPEST; depth++, folder = dirname(folder)) {
    for (const name of LOCKS) {
      const lock = await readLock(fs, join(folder, name), look);
      if (lock?.state === "held") return lock.pid;
    }
  }
  const isDatabase = fs.isDisk && basename(path) === DATABASE && (await fs.exists(path));
  return isDatabase ? look.holderOf(path) : undefined;
}

export interface EditorLock {
  readonly pid: number;
  readonly state: LockState;
}

/** Nothing where there is no lock, or none that names a process: the number alone, or as a member `pid`. */
export async function readLock(
  fs: SessionFs,
  path: string,
  look: ProcessLook,
): Promise<EditorLock | undefined> {
  if (!(await fs.exists(path))) return undefined;
  const text = Buffer.from(await fs.read(path)).toString("utf8");
  const [, alone, member] = /^\s*(\d+)\s*$|"pid"\s*:\s*(\d+)/.exec(text) ?? [];
  if (alone === undefined && member === undefined) return undefined;
  const pid = Number(alone ?? member);
  const writtenAt = fs.isDisk ? (await fs.stat(path)).mtimeMs : undefined;
  return { pid, state: judgeLock({ pid, folder: dirname(path), writtenAt, isProgram: isEditor }, look) };
}

export const inUse = (pid?: number): AppError =>
  new AppError(
    "vscode-running",
    `VS Code is running${pid === undefined ? "" : ` (process ${pid})`}: it would not notice the change and would overwrite it`,
    {
      say: "Close all its windows, then run the command again, or add --when-closed, which waits for that; or import a copy in VS Code",
      remedy: { action: "export", args: { format: "vscode" }, asks: { session: "session" } },
      after: ", then Chat: Import Chat…; if it is not running, add --ignore-lock",
    },
  );
