/** Which mode a new file or folder of VS Code gets: that of its neighbours, which VS Code wrote. */
import { dirname, join } from "node:path";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { DATABASE } from "../../index-db/stores.ts";

const PRIVATE = { folder: 0o700, file: 0o600 };

/** Of a session file in this folder, or of the others that are named, or for the owner alone. */
export async function fileModeIn(
  fs: SessionFs,
  sessions: string,
  ...others: readonly string[]
): Promise<number> {
  const chats = (await namesIn(fs, sessions)).filter((name) => /\.jsonl?$/.test(name));
  const paths = [...chats.slice(0, 1).map((name) => join(sessions, name)), ...others];
  return (await firstMode(fs, paths)) ?? PRIVATE.file;
}

/** Of the folder that it comes into. */
export const folderModeIn = async (fs: SessionFs, parent: string): Promise<number> =>
  (await firstMode(fs, [parent])) ?? PRIVATE.folder;

/** Of a workspace that VS Code has opened, beside one that it has not. */
export async function storeModes(
  fs: SessionFs,
  folder: string,
): Promise<{ readonly folder: number; readonly file: number }> {
  const storage = dirname(folder);
  for (const name of await namesIn(fs, storage)) {
    const store = join(storage, name);
    const [own, database] = [await firstMode(fs, [store]), await firstMode(fs, [join(store, DATABASE)])];
    if (own !== undefined && database !== undefined) return { folder: own, file: database };
  }
  return PRIVATE;
}

async function firstMode(fs: SessionFs, paths: readonly string[]): Promise<number | undefined> {
  for (const path of paths) {
    if (!(await fs.exists(path))) continue;
    const { mode } = await fs.stat(path);
    if (mode !== undefined) return mode & 0o777;
  }
  return undefined;
}

const namesIn = async (fs: SessionFs, folder: string): Promise<string[]> =>
  (await fs.exists(folder)) ? (await fs.readdir(folder)).map(({ name }) => name).sort() : [];
