/** The file states to rewind to, cut to the prompts that a shorter log still has. */
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { type SessionFolder, textOf } from "../copy/folder.ts";
import { cutSnapshots } from "../cut/cut-sidecars.ts";
import { moveSnapshots } from "../move/snapshots.ts";
import { backupName, backupsIn, SNAPSHOT_INDEX } from "../rewind-files/snapshots.ts";

/** The table of file states; nothing when there is none that could be cut. */
export async function snapshotsOf(
  fs: SessionFs,
  folder: SessionFolder,
  keeps: (eventId: string) => boolean,
): Promise<string | undefined> {
  const text = await textOf(fs, folder, SNAPSHOT_INDEX);
  return text === undefined ? undefined : cutSnapshots(text, keeps);
}

/** States of what agents keep in the session's own folder lead to the copy's; a rewind of one leaves the other alone. */
export async function copiedStates(
  fs: SessionFs,
  folder: SessionFolder,
  to: string,
  cut?: string,
): Promise<string | undefined> {
  const text = cut ?? (await textOf(fs, folder, SNAPSHOT_INDEX)) ?? "";
  // Most sessions have none, and then the table stays as it is.
  const isNamed = text.includes(JSON.stringify(folder.path).slice(1, -1));
  return (isNamed ? moveSnapshots(text, { from: folder.path, to })?.text : undefined) ?? cut;
}

/** Tells kept states that no prompt in the table needs any more. */
export function createBackupCheck(snapshots: string | undefined): (name: string) => boolean {
  const needed = snapshots === undefined ? undefined : backupsIn(snapshots);
  const folder = backupName("");
  return (name) => needed !== undefined && name.startsWith(folder) && !needed.has(name.slice(folder.length));
}
