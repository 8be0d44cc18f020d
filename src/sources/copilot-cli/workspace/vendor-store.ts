/** Copilot CLI's own session-store.db: where it is, who uses it, and what its reindex reads beside the logs. */
import { isUtf8 } from "node:buffer";
import type { Artifact } from "../../../model/session/session.ts";
import { type FolderEntry, isErrno, type SessionFs } from "../../../platform/fs/session-fs.ts";
import { createProcessLook } from "../../../platform/process/process-look.ts";
import type { BesideLog, VendorStore } from "../../source.ts";
import { CHECKPOINT_FOLDER } from "./checkpoints.ts";
import { folderOf, stateFolder, under } from "./locate.ts";
import { findOwner } from "./locks.ts";

export const vendorStore: VendorStore = {
  path: (root) => under(root, "session-store.db"),
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
    const checkpoints = new Map<number, string>();
    for (const { name, text } of await textsIn(fs, under(folder, CHECKPOINT_FOLDER))) {
      const number = /^(\d+)-.*\.md$/.exec(name)?.[1];
      if (number !== undefined) checkpoints.set(Number(number), text);
    }
    return { checkpoints, files: await textsIn(fs, under(folder, "files")) };
  },
};

/** The files directly in a folder, in the order of their names; what is blank or no text is passed over. */
async function textsIn(
  fs: SessionFs,
  folder: string,
): Promise<{ name: string; path: string; text: string }[]> {
  const entries = (await entriesOf(fs, folder)) ?? [];
  const names = entries.flatMap(({ name, kind }) => (kind === "file" ? [name] : [])).sort();
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
