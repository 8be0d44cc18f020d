/** Tells when conversations, jobs and the context board change, whichever process changes them. */
import { join } from "node:path";
import { makeFolder } from "../platform/disk/own-files.ts";
import { watchFolders } from "../platform/disk/watch.ts";
import { boardNewsFolder } from "../store/state/board-news.ts";

export interface OwnChanges {
  chat(id: string): void;
  job(id: string): void;
  board(): void;
}

/** Names of temporary files and locks begin with a dot. */
const NAMED = /^([^.].*)\.json$/;
/** A file that is written again and again is told of so often. */
const NEWS_MS = 250;

/** Gives back what stops it. Where folders cannot be watched, nothing is told. */
export function watchOwnChanges(dataFolder: string, tell: OwnChanges): () => void {
  const chats = join(dataFolder, "chats");
  const jobs = join(dataFolder, "jobs");
  const board = boardNewsFolder(dataFolder);
  const waiting = new Map<string, NodeJS.Timeout>();
  const folders = watchFolders({
    changed(folder, name = "") {
      const [, id] = NAMED.exec(name) ?? [];
      // A change of the board has a file of its own, and what it is called says nothing.
      const key = folder === board ? board : join(folder, name);
      if (id === undefined || waiting.has(key)) return;
      const say = (): void => {
        waiting.delete(key);
        if (folder === chats) tell.chat(id);
        else if (folder === jobs) tell.job(id);
        else tell.board();
      };
      waiting.set(key, setTimeout(say, NEWS_MS).unref());
    },
    limited: () => undefined,
  });
  const all = [chats, jobs, board];
  for (const folder of all) makeFolder(folder);
  folders.set(all, all.length);
  return () => {
    for (const timer of waiting.values()) clearTimeout(timer);
    folders.close();
  };
}
