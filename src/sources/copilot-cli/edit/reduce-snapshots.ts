/** The file states to rewind to, cut to the prompts that a shorter log still has. */
import type { SessionFs } from "../../../platform/session-fs.ts";
import { cutSnapshots } from "./cut-sidecars.ts";
import { type SessionFolder, textOf } from "./folder.ts";
import { SNAPSHOT_INDEX, SNAPSHOTS } from "./snapshots.ts";

/** The table of file states; nothing when there is none that could be cut. */
export async function snapshotsOf(
  fs: SessionFs,
  folder: SessionFolder,
  keeps: (eventId: string) => boolean,
): Promise<string | undefined> {
  const text = await textOf(fs, folder, SNAPSHOT_INDEX);
  return text === undefined ? undefined : cutSnapshots(text, keeps);
}

/** A kept state that no prompt in the table needs any more. */
export function isBackupOfNone(name: string, snapshots: string | undefined): boolean {
  const backup = name.startsWith(`${SNAPSHOTS}/backups/`) ? name.slice(SNAPSHOTS.length + 9) : "";
  return snapshots !== undefined && backup !== "" && !snapshots.includes(backup);
}
