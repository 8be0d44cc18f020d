/** What makes up a session on disk: everything in its folder but the locks of running programs. */
import type { Artifact } from "../../model/session.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import { filesBelow } from "../files.ts";
import { folderOf, under } from "./locate.ts";

/** Of processes that have the session open now, or are forking it; and what SQLite shares between such. */
const LOCK = /^(inuse\.\d+\.(lock|hold)|\.workspace-fork\.lock|session\.db-shm)$/;

export async function files(fs: SessionFs, { path }: Artifact): Promise<string[]> {
  const folder = folderOf(path);
  if (folder === undefined) return [path];
  const isLock = (file: string): boolean => LOCK.test(file.slice(folder.length + 1));
  return (await filesBelow(fs, folder, under)).filter((file) => !isLock(file));
}
