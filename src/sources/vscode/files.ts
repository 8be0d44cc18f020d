/** Lists the files of a session: its file in either format, and its files in the workspace's folder. */
import { dirname, join } from "node:path";
import type { Artifact } from "../../model/session/session.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { filesBelow, type OnSkipped, whichExist } from "../files/of-session.ts";
import { editingStateIn, storeFolderOf, transcriptIn } from "./index-db/stores.ts";
import { WORKSPACE_FILES } from "./index-db/workspace.ts";

export async function files(fs: SessionFs, { id, path }: Artifact, onSkipped?: OnSkipped): Promise<string[]> {
  const other = path.endsWith(".jsonl") ? path.replace(/\.jsonl$/, ".json") : `${path}l`;
  const folder = storeFolderOf(path);
  if (folder === undefined) return whichExist(fs, [path, other]);
  const transcript = transcriptIn(folder, id);
  return [
    ...(await whichExist(fs, [
      path,
      ...(transcript === path ? [] : [other, transcript]),
      ...WORKSPACE_FILES.map((name) => join(folder, name)),
    ])),
    ...(await filesBelow(fs, dirname(editingStateIn(folder, id)), join, onSkipped)),
  ];
}
