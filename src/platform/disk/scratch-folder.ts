/** A temporary folder of our own that only its owner can enter. */
import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder, removeFolder, removeLeftBehind, temporaryName } from "./own-files.ts";
import { removeUnlessFinished } from "./unfinished-files.ts";

export interface ScratchFolder {
  readonly path: string;
  /** Adds to a file below it, which is made with its folders. */
  append(name: string, bytes: Uint8Array): void;
  remove(): void;
}

const PREFIX = "folder-";

/** What processes that were killed left beside it goes. */
export function createScratchFolder(above: string): ScratchFolder {
  makeFolder(above);
  removeLeftBehind(above, PREFIX);
  const path = join(above, temporaryName(PREFIX));
  makeFolder(path);
  const isOver = removeUnlessFinished(path);
  return {
    path,
    append(name, bytes) {
      const place = join(path, name);
      makeFolder(dirname(place));
      appendFileSync(place, bytes, { mode: 0o600 });
    },
    remove() {
      removeFolder(path);
      isOver();
    },
  };
}
