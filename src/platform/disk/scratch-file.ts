/** A temporary file of our own that only its owner can read. */
import { closeSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, removeLeftBehind, temporaryName } from "./own-files.ts";
import { openOwn } from "./ownership.ts";
import { removeUnlessFinished } from "./unfinished-files.ts";

export interface ScratchFile {
  readonly path: string;
  write(bytes: Uint8Array | string): void;
  size(): number;
  remove(): void;
}

const PREFIX = "scratch-";

/** What processes that were killed left in the folder goes. */
export function createScratchFile(folder: string): ScratchFile {
  makeFolder(folder);
  removeLeftBehind(folder, PREFIX);
  const path = join(folder, temporaryName(PREFIX));
  const fd = openOwn(path, "wx", 0o600);
  const isOver = removeUnlessFinished(path);
  let [size, isOpen] = [0, true];
  return {
    path,
    write(data) {
      const bytes = typeof data === "string" ? Buffer.from(data) : data;
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      size += bytes.length;
    },
    size: () => size,
    remove() {
      if (isOpen) closeSync(fd);
      isOpen = false;
      rmSync(path, { force: true });
      isOver();
    },
  };
}
