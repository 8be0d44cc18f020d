/**
 * Finds the session that the program has just created, when it does not let us choose the id: the right one, or none.
 */
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import type { JustMade } from "../../driver.ts";
import { LOG, stateFolder, under } from "../workspace/locate.ts";
import { readWorkspace } from "../workspace/workspace.ts";

/** Sessions that are looked at, the latest first. */
const MOST = 10;
/** A session that was created later than this after the start, or before it, is not ours. */
const WITHIN_MS = 60_000;
/** Clocks of file systems are coarser than ours. */
const COARSE_MS = 2000;

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export async function captureSession(
  fs: SessionFs,
  root: string,
  { folder, since, known, isSame }: JustMade,
): Promise<string | undefined> {
  const candidates: string[] = [];
  for (const { id } of (await latest(fs, root, known)).slice(0, MOST)) {
    const workspace = await readWorkspace(fs, under(stateFolder(root), id), () => undefined);
    const age = Date.parse(workspace.createdAt ?? "") - since.getTime();
    const isNew = age > -COARSE_MS && age < WITHIN_MS;
    if (isNew && workspace.folder !== undefined && (await isSame(workspace.folder, folder)))
      candidates.push(id);
  }
  // There are two candidates, and a wrong guess would put messages into another conversation.
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Those with a conversation in them, the latest first. */
async function latest(
  fs: SessionFs,
  root: string,
  known: ReadonlySet<string>,
): Promise<{ readonly id: string; readonly mtimeMs: number }[]> {
  const found: { id: string; mtimeMs: number }[] = [];
  for (const id of await sessions(fs, root)) {
    const log = under(stateFolder(root), id, LOG);
    if (!known.has(id) && (await fs.exists(log))) found.push({ id, mtimeMs: (await fs.stat(log)).mtimeMs });
  }
  return found.sort((one, other) => other.mtimeMs - one.mtimeMs);
}

export async function sessions(fs: SessionFs, root: string): Promise<Set<string>> {
  const state = stateFolder(root);
  if (!(await fs.exists(state))) return new Set();
  return new Set((await fs.readdir(state)).map(({ name }) => name).filter((name) => GUID.test(name)));
}
