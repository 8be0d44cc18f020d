/** Writes a file atomically, and replaces an existing one only when asked to. */
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isErrno } from "../fs/session-fs.ts";
import { realPath } from "./links.ts";
import { makeFolder, temporaryName } from "./own-files.ts";
import { giveFile, openOwn, ownerOf } from "./ownership.ts";
import { removeUnlessFinished } from "./unfinished-files.ts";

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

/**
 * A pipe or a device is written to instead: a rename would put a file in the place of the terminal or of /dev/null, for
 * everybody where root does it.
 */
export function createNewFile(named: string, { replace, mode }: NewFileOptions): NewFile {
  const there = statIfThere(named);
  if (there?.isDirectory())
    throw Object.assign(new Error(`EISDIR: it is a folder, open '${named}'`), { code: "EISDIR" });
  if (replace && there && !there.isFile()) return createWriter(openSync(named, "w"), closeSync, closeSync);
  // What is replaced is the file, and a link that leads to it stays one; a link that leads nowhere makes way.
  const path = replace && there ? realPath(named) : named;
  makeFolder(dirname(path), 0o777);
  // Beside its place, because a rename is atomic only within one file system; under a name that nobody else has.
  const temporary = join(dirname(path), `${temporaryName(`.${basename(path).slice(0, 100)}.`)}.tmp`);
  const isOver = removeUnlessFinished(temporary);
  const discard = (fd: number): void => {
    closeSync(fd);
    rmSync(temporary, { force: true });
    isOver();
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
    try {
      if (replace) renameSync(temporary, path);
      else nameUnlessTaken(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    } finally {
      isOver();
    }
  };
  try {
    return createWriter(openOwn(temporary, "wx", mode), finish, discard);
  } catch (error) {
    isOver();
    throw error;
  }
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

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isErrno(error, "ELOOP")) return undefined; // a link to itself
    throw error;
  }
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
    if (!isErrno(error, "EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP")) throw error;
    renameSync(temporary, path);
  }
}
