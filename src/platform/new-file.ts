/** A file that appears whole or not at all, and takes the place of another only where that is asked for. */
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { giveFile, giveFolders, openOwn, ownerOf } from "./ownership.ts";
import { isErrno } from "./session-fs.ts";

export interface NewFile {
  write(text: string | Uint8Array): void;
  /** Gives it its name. Fails with EEXIST when the name was taken meanwhile and is not to be replaced. */
  finish(): void;
  discard(): void;
}

/** Many small pieces are written as few large ones. */
const BUFFERED = 1 << 18;

export interface NewFileOptions {
  readonly replace: boolean;
  /** Who may read it (default: whoever the system lets); a file that is replaced keeps its own. */
  readonly mode?: number;
}

export function createNewFile(path: string, { replace, mode }: NewFileOptions): NewFile {
  const made = mkdirSync(dirname(path), { recursive: true });
  if (made !== undefined) giveFolders(made, dirname(path));
  // Beside its place, because a rename is atomic only within one file system.
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${process.pid}.tmp`);
  const fd = openOwn(temporary, "w", mode);
  let waiting: string[] = [];
  let size = 0;
  const flush = (): void => {
    writeFileSync(fd, waiting.join(""));
    waiting = [];
    size = 0;
  };
  return {
    write(text) {
      if (typeof text !== "string") {
        flush();
        writeFileSync(fd, text);
        return;
      }
      waiting.push(text);
      size += text.length;
      if (size >= BUFFERED) flush();
    },
    finish() {
      flush();
      if (replace) keepLook(path, fd);
      fsyncSync(fd);
      closeSync(fd);
      if (replace) renameSync(temporary, path);
      else nameUnlessTaken(temporary, path);
    },
    discard() {
      closeSync(fd);
      rmSync(temporary, { force: true });
    },
  };
}

/** A file that takes the place of another belongs to the same owner and is open to the same people. */
function keepLook(path: string, fd: number): void {
  const old = lstatSync(path, { throwIfNoEntry: false });
  const owner = old?.isFile() ? ownerOf(old) : undefined;
  if (!old || !owner) return;
  giveFile(fd, owner);
  fchmodSync(fd, old.mode & 0o7777);
}

/** A link fails where a rename would overwrite. File systems without links get the rename: asked before, it is all there is. */
function nameUnlessTaken(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
    rmSync(temporary);
  } catch (error) {
    if (!isErrno(error, "EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP")) {
      rmSync(temporary, { force: true });
      throw error;
    }
    renameSync(temporary, path);
  }
}
