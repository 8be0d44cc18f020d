/** Watches a changing set of folders. Folders that cannot be watched are left to polling. */
import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import { isErrno } from "../fs/session-fs.ts";

export interface FolderWatch {
  /** Watches these from now on, and no others: as many as allowed, in this order. Those that are not there do not count. */
  set(folders: Iterable<string>, most: number): void;
  has(folder: string): boolean;
  readonly size: number;
  close(): void;
}

export interface FolderListener {
  /** Something in the folder appeared, changed or went; the system does not always say what. */
  changed(folder: string, name: string | undefined): void;
  /** The system allows no more watches; reported once. */
  limited(): void;
}

/** Missing, not accessible, not a folder, or on a file system without events: polling covers these. */
const UNWATCHABLE = ["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ENOSYS", "ENODEV", "EINVAL"];
/** Linux: all watches of this user, or all files of this process, are taken. */
const EXHAUSTED = ["ENOSPC", "EMFILE", "ENFILE", "ENOMEM"];

export type StartWatch = (
  folder: string,
  changed: (kind: string, name: string | null) => void,
) => Pick<FSWatcher, "close" | "on">;

/** Does not keep the process alive. */
const startWatch: StartWatch = (folder, changed) => watch(folder, { persistent: false }, changed);

export function watchFolders(listener: FolderListener, start: StartWatch = startWatch): FolderWatch {
  const open = new Map<string, ReturnType<StartWatch>>();
  let isLimited = false;

  const stop = (folder: string): void => {
    open.get(folder)?.close();
    open.delete(folder);
  };
  const failed = (folder: string, error: unknown): void => {
    stop(folder);
    if (isErrno(error, ...EXHAUSTED)) {
      if (!isLimited) listener.limited();
      isLimited = true;
    } else if (!isErrno(error, ...UNWATCHABLE)) throw error;
  };
  const add = (folder: string): void => {
    try {
      const watcher = start(folder, (kind, name) => {
        // The folder itself is gone. If it comes back, it is another folder and must be watched again.
        if (kind === "rename" && name === basename(folder)) stop(folder);
        listener.changed(folder, name ?? undefined);
      });
      watcher.on("error", (error) => failed(folder, error));
      open.set(folder, watcher);
    } catch (error) {
      failed(folder, error);
    }
  };

  return {
    get size() {
      return open.size;
    },
    has: (folder) => open.has(folder),
    set(folders, most) {
      const wanted = [...new Set(folders)];
      for (const folder of [...open.keys()]) if (!wanted.includes(folder)) stop(folder);
      const kept = new Set<string>();
      for (const folder of wanted) {
        if (kept.size >= most) break;
        // Tried again each time: what took all the watches may have ended.
        if (!open.has(folder)) {
          if (open.size >= most) stop(wanted.findLast((each) => open.has(each) && !kept.has(each)) ?? "");
          add(folder);
        }
        if (open.has(folder)) kept.add(folder);
      }
    },
    close() {
      for (const folder of [...open.keys()]) stop(folder);
    },
  };
}
