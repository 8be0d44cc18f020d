/** Lists the workspaces that an editor has ever opened, and its windows without a folder. */
import { basename } from "node:path";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { KnownWorkspace } from "../source.ts";
import { editorOf } from "./index-db/locate.ts";
import { findStores, type Store } from "./index-db/stores.ts";
import { isList, readWorkspace, type Workspace } from "./index-db/workspace.ts";

export async function workspaces(fs: SessionFs, root: string): Promise<KnownWorkspace[]> {
  const editor = editorOf(root);
  const found: KnownWorkspace[] = [];
  for (const store of await findStores(fs, root, () => undefined)) {
    const { folder, sessions } = store;
    const place = folder === undefined ? undefined : await readWorkspace(fs, folder, () => undefined);
    const used = await timeOf(fs, store);
    found.push({
      ...(place ? { kind: kindOf(place), folder: place.name } : { kind: "none" }),
      ...(folder !== undefined && { id: basename(folder) }),
      editor,
      // The database of windows without a folder is shared by all of the editor.
      ...(used !== undefined && folder !== undefined && { usedMs: used }),
      // Of a ghost only the transcript is left, in another folder of the same workspace.
      holds: folder === undefined ? sessions : [folder],
    });
  }
  return found;
}

const kindOf = ({ name, isLocal }: Workspace): KnownWorkspace["kind"] =>
  isLocal ? (isList(name) ? "workspace-file" : "folder") : "remote";

/** VS Code writes the database when a window closes, and now and then before. */
async function timeOf(fs: SessionFs, { database }: Store): Promise<number | undefined> {
  try {
    return (await fs.stat(database)).mtimeMs;
  } catch {
    return undefined;
  }
}
