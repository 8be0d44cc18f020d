/** Lists the files of a session: everything in its folder except the locks of running programs. */
import type { Artifact } from "../../../model/session/session.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { filesBelow, type OnSkipped } from "../../files/of-session.ts";
import { whyNotInSession } from "./home.ts";
import { folderOf, under } from "./locate.ts";

export async function files(fs: SessionFs, { path }: Artifact, onSkipped?: OnSkipped): Promise<string[]> {
  const folder = folderOf(path);
  if (folder === undefined) return [path];
  const isOwn = (file: string): boolean =>
    whyNotInSession(file.slice(folder.length + 1).replaceAll("\\", "/")) === undefined;
  return (await filesBelow(fs, folder, under, onSkipped)).filter(isOwn);
}
