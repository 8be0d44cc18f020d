/** A temporary folder of our own that only its owner can enter. */
import { appendFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder, removeFolder, removeLeftBehind, temporaryName } from "./own-files.ts";
import { removeUnlessFinished } from "./unfinished-files.ts";

export interface ScratchFolder {
  readonly path: string;
  /** Makes an empty file below it, with its folders. Refuses a name that leads to a file that is there. */
  create(name: string): void;
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
  const placeOf = (name: string): string => {
    const place = join(path, name);
    makeFolder(dirname(place));
    return place;
  };
  return {
    path,
    create: (name) => writeFileSync(placeOf(name), "", { mode: 0o600, flag: "wx" }),
    append: (name, bytes) => appendFileSync(placeOf(name), bytes, { mode: 0o600 }),
    remove() {
      removeFolder(path);
      isOver();
    },
  };
}
