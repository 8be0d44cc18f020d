/**
 * Recorded states of files in a session that comes from elsewhere. A rewind writes them back, so they may only be about
 * files of the folder that the session is about: nobody's bundle says what becomes of other files.
 */
import { isAbsolutePath, isAtOrBelow, isRootPath, segmentsOf } from "../../../../model/values/paths.ts";
import { asObject, asString, type JsonObject } from "../../../log/jsonl.ts";
import { isBackupName } from "../rewind-files/file-history.ts";

export interface StatesOf {
  /** The folder that the session was about, elsewhere. */
  readonly folder: string | undefined;
  /** All of that is nobody's project. */
  readonly userHome: string | undefined;
}

/** Whether a row has states that are not to come along. */
export function hasForeignStates(record: JsonObject, { folder, userHome }: StatesOf): boolean {
  const states = statesIn(record);
  if (states.length === 0) return false;
  if (folder === undefined || isRootPath(folder) || folder === userHome) return true;
  return states.some(
    ({ path, backup }) => !isInside(path, folder) || (backup !== undefined && !isBackupName(backup)),
  );
}

const isInside = (path: string, folder: string): boolean =>
  !segmentsOf(path).includes("..") && (!isAbsolutePath(path) || isAtOrBelow(path, folder));

function statesIn(record: JsonObject): { readonly path: string; readonly backup: string | undefined }[] {
  const nameOf = (state: unknown): string | undefined => asString(asObject(state)?.backupFileName);
  if (record.type === "file-history-delta")
    return [{ path: asString(record.trackingPath) ?? "..", backup: nameOf(record.backup) }];
  if (record.type !== "file-history-snapshot") return [];
  const tracked = asObject(asObject(record.snapshot)?.trackedFileBackups) ?? {};
  return Object.entries(tracked).map(([path, state]) => ({ path, backup: nameOf(state) }));
}
