/** Copilot CLI's own session-store.db: where it is, who uses it, and what its reindex reads beside the logs. */
import { isUtf8 } from "node:buffer";
import type { Artifact } from "../../../model/session/session.ts";
import { toFileDate } from "../../../model/values/time.ts";
import { type FolderEntry, isErrno, type SessionFs, statEach } from "../../../platform/fs/session-fs.ts";
import { createProcessLook } from "../../../platform/process/process-look.ts";
import type { BesideLog, VendorStore } from "../../source.ts";
import { CHECKPOINT_FOLDER, CHECKPOINT_INDEX } from "./checkpoints.ts";
import { folderOf, stateFolder, under } from "./locate.ts";
import { findOwner } from "./locks.ts";
import { WORKSPACE_FILE } from "./workspace.ts";

const storePath = (root: string): string => under(root, "session-store.db");

export const vendorStore: VendorStore = {
  path: storePath,
  async mark(fs, root) {
    const path = storePath(root);
    // What was written last may be in the write-ahead log alone.
    const stats = await statEach(fs, [path, `${path}-wal`]);
    if (stats[0] === undefined) return undefined;
    return JSON.stringify(
      stats.map((stat) => (stat && !(stat instanceof Error) ? [stat.size, stat.mtimeMs, stat.ino] : null)),
    );
  },
  async findUser(fs, root) {
    const state = stateFolder(root);
    const look = createProcessLook();
    for (const { name, kind } of (await entriesOf(fs, state)) ?? []) {
      const pid = kind === "folder" ? await findOwner(fs, under(state, name), look) : undefined;
      if (pid !== undefined) return pid;
    }
    return undefined;
  },
  async sessions(fs, root) {
    const entries = await entriesOf(fs, stateFolder(root));
    return entries && new Set(entries.map(({ name }) => name.replace(/\.jsonl$/, "")));
  },
  // The flat files of early versions are passed over.
  takes: ({ path }) => folderOf(path) !== undefined,
  async beside(fs, { path }: Artifact): Promise<BesideLog> {
    const folder = folderOf(path) ?? "";
    const checkpoints = new Map<number, { text: string; at: string }>();
    // Without workspace.yaml the program's reindex passes over them.
    const hasWorkspace = (await textsIn(fs, folder, [WORKSPACE_FILE])).length > 0;
    const files = hasWorkspace ? await textsIn(fs, under(folder, CHECKPOINT_FOLDER)) : [];
    for (const { name, path: file, text } of files) {
      if (!name.endsWith(".md") || name === CHECKPOINT_INDEX) continue;
      const { mtimeMs } = await fs.stat(file);
      checkpoints.set(numberOf(name), { text, at: toFileDate(mtimeMs).toISOString() });
    }
    return { checkpoints, files: await textsIn(fs, under(folder, "files")) };
  },
};

/** As the program's reindex counts: what stands before the first dash, and 0 where that is no number. */
const numberOf = (name: string): number => Number(/^\d+(?=-)/.exec(name)?.[0] ?? 0);

/** The files directly in a folder, in the order of their names; what is blank or no text is passed over. */
async function textsIn(
  fs: SessionFs,
  folder: string,
  only?: readonly string[],
): Promise<{ name: string; path: string; text: string }[]> {
  const entries = (await entriesOf(fs, folder)) ?? [];
  const isWanted = ({ name, kind }: FolderEntry): boolean =>
    kind === "file" && (only?.includes(name) ?? true);
  const names = entries.flatMap((entry) => (isWanted(entry) ? [entry.name] : [])).sort();
  const texts = [];
  for (const name of names) {
    const path = under(folder, name);
    const bytes = await fs.read(path);
    const text = isUtf8(bytes) ? Buffer.from(bytes).toString("utf8") : "";
    if (text.trim() !== "") texts.push({ name, path, text });
  }
  return texts;
}

/** Nothing where there is no such folder. */
async function entriesOf(fs: SessionFs, folder: string): Promise<FolderEntry[] | undefined> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
    return undefined;
  }
}
