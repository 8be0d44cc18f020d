/**
 * The folder for locks on agents' folders: the same for all processes of a user, whatever their data folders, and
 * writable by no other user.
 */
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../disk/own-files.ts";
import { give } from "../disk/ownership.ts";
import { temporaryPlaces } from "../disk/temporary.ts";

/**
 * Among the temporary files, so that none appears in the agent's folder. Everybody may write there, and could make a
 * folder or a link of that name first: such a one is passed over. The last resort is `own`, our data folder, which
 * other processes with the same data folder share.
 */
export function lockFolderFor(folder: string, own: string, places = temporaryPlaces()): string {
  const uid = userOf(folder);
  const name = uid === undefined ? "rethread-locks" : `rethread-locks-${uid}`;
  const shared = places.map((place) => join(place, name)).find((path) => isOnlyFor(uid, path));
  if (shared !== undefined) return shared;
  const last = join(own, "locks");
  makeFolder(last);
  return last;
}

/** By its number, as a container's user may have no name. Root takes the locks of whoever owns the folder. */
function userOf(folder: string): number | undefined {
  const own = process.geteuid?.();
  return own === 0 ? statSync(folder).uid : own;
}

const OTHERS_MAY_WRITE = 0o022;

/** Makes it if need be. False when it is not a folder of that user, or others may write to it. */
function isOnlyFor(uid: number | undefined, path: string): boolean {
  try {
    makeFor(uid, path);
    const stats = lstatSync(path); // a link is not followed: its owner could make it lead elsewhere
    accessSync(path, constants.W_OK | constants.X_OK);
    if (!stats.isDirectory()) return false;
    return uid === undefined || (stats.uid === uid && (stats.mode & OTHERS_MAY_WRITE) === 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return false;
  }
}

function makeFor(uid: number | undefined, path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) return;
  if (uid === undefined || uid === process.geteuid?.()) {
    mkdirSync(path, { recursive: false, mode: 0o700 });
    return;
  }
  // Made by root for its user: it has the right owner before it has its name.
  const made = mkdtempSync(`${path}-`);
  try {
    give(made, { uid, gid: lstatSync(made).gid });
    renameSync(made, path);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
}
