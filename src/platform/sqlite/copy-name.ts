/** The name of the copy of a program's database that is left beside it before we write to it. */
import type { SessionFs } from "../fs/session-fs.ts";

/** What the name of every copy begins with. The program itself uses no such name for a backup. */
export const copyPrefix = (database: string): string => `${database}.rethread-`;

/** Named by its time, so that names sort by age. */
export async function newCopy(fs: SessionFs, path: string, now: Date): Promise<string> {
  const copy = `${copyPrefix(path)}${now.toISOString().replace(/[-:.]/g, "")}`;
  let free = copy;
  for (let number = 2; await fs.exists(free); number++) free = `${copy}-${number}`;
  return free;
}
