/** A file that appears whole or not at all, and takes the place of another only where that is asked for. */
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
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
  if (replace && isDevice(path)) return createWriter(openSync(path, "w"), closeSync, closeSync);
  const made = mkdirSync(dirname(path), { recursive: true });
  if (made !== undefined) giveFolders(made, dirname(path));
  // Beside its place, because a rename is atomic only within one file system.
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${process.pid}.tmp`);
  const discard = (fd: number): void => {
    closeSync(fd);
    rmSync(temporary, { force: true });
  };
  const finish = (fd: number): void => {
    try {
      if (replace) keepLook(path, fd);
      fsyncSync(fd);
    } catch (error) {
      discard(fd);
      throw error;
    }
    closeSync(fd);
    if (replace) renameSync(temporary, path);
    else nameUnlessTaken(temporary, path);
  };
  return createWriter(openOwn(temporary, "w", mode), finish, discard);
}

/** A rename would put a file in the place of the terminal, a pipe or /dev/null, for everybody where root does it. */
function isDevice(path: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && !there.isFile() && !there.isDirectory();
}

function createWriter(fd: number, finish: (fd: number) => void, discard: (fd: number) => void): NewFile {
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
      try {
        flush();
      } catch (error) {
        discard(fd);
        throw error;
      }
      finish(fd);
    },
    discard: () => discard(fd),
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
