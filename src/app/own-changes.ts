/** Tells when conversations and jobs change, whichever process changes them. */
import { join } from "node:path";
import { makeFolder } from "../platform/disk/own-files.ts";
import { watchFolders } from "../platform/disk/watch.ts";

export interface OwnChanges {
  chat(id: string): void;
  job(id: string): void;
}

/** Names of temporary files and locks begin with a dot. */
const NAMED = /^([^.].*)\.json$/;
/** A file that is written again and again is told of so often. */
const NEWS_MS = 250;

/** Gives back what stops it. Where folders cannot be watched, nothing is told. */
export function watchOwnChanges(dataFolder: string, tell: OwnChanges): () => void {
  const chats = join(dataFolder, "chats");
  const jobs = join(dataFolder, "jobs");
  const waiting = new Map<string, NodeJS.Timeout>();
  const folders = watchFolders({
    changed(folder, name = "") {
      const [, id] = NAMED.exec(name) ?? [];
      const key = join(folder, name);
      if (id === undefined || waiting.has(key)) return;
      const say = (): void => {
        waiting.delete(key);
        if (folder === chats) tell.chat(id);
        else tell.job(id);
      };
      waiting.set(key, setTimeout(say, NEWS_MS).unref());
    },
    limited: () => undefined,
  });
  for (const folder of [chats, jobs]) makeFolder(folder);
  folders.set([chats, jobs], 2);
  return () => {
    for (const timer of waiting.values()) clearTimeout(timer);
    folders.close();
  };
}
