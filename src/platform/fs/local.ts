/** SessionFs on the local disk. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { identityAt, realPathOf } from "../disk/identity.ts";
import { realPath } from "../disk/links.ts";
import { openRegular, openSized } from "../disk/regular-file.ts";
import { lookAt } from "../disk/tree.ts";
import {
  type ByteRange,
  type FileStat,
  type FolderEntry,
  refuseTooLarge,
  type SessionFs,
  type StatAnswer,
} from "./session-fs.ts";

const CHUNK = 1 << 20;
/** The buffer of the last reading that ended: a new one for each of thousands of files would cost more than reading them. */
let spare: Buffer | undefined;

/**
 * The calls inside are synchronous on purpose: over thousands of small files that is about three times faster than
 * the promise API, and one call never takes long (see docs/decisions/0004).
 */
export const localFs: SessionFs = {
  isDisk: true,
  links: {
    entryAt: async (path) => lookAt(path),
    leadsTo: async (path) => realPath(path),
    identityAt: async (path) => identityAt(path),
  },
  async read(path, range) {
    const { fd, size } = openSized(path);
    try {
      const start = range?.start ?? 0;
      const end = Math.min(range?.end ?? Number.POSITIVE_INFINITY, size);
      refuseTooLarge(path, end - start);
      // Some files of the system have no size, and something in them.
      if (!range && size === 0) return readFileSync(fd);
      const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
      return bytes.subarray(0, readFully(fd, bytes, start));
    } finally {
      closeSync(fd);
    }
  },
  async *chunks(path: string, range?: ByteRange) {
    const fd = openRegular(path);
    const buffer = spare ?? Buffer.allocUnsafeSlow(CHUNK);
    spare = undefined; // until this reading has ended: several may go on at a time
    try {
      let at = range?.start ?? 0;
      const end = range?.end ?? Number.POSITIVE_INFINITY;
      while (at < end) {
        const got = readSync(fd, buffer, 0, Math.min(CHUNK, end - at), at);
        if (got === 0) return;
        yield buffer.subarray(0, got);
        at += got;
      }
    } finally {
      spare = buffer;
      closeSync(fd);
    }
  },
  async write(path, data, mode = 0o600) {
    writeFileSync(path, data, { mode });
  },
  async append(path, data) {
    appendFileSync(path, data, { mode: 0o600 });
  },
  async exists(path) {
    return existsSync(path);
  },
  async stat(path) {
    return toStat(statSync(path));
  },
  async statEach(paths) {
    return paths.map(statOrError);
  },
  async mkdir(path) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  },
  async readdir(path) {
    return readdirSync(path, { withFileTypes: true }).map((entry): FolderEntry => {
      if (entry.isFile()) return { name: entry.name, kind: "file" };
      if (entry.isDirectory()) return { name: entry.name, kind: "folder" };
      if (!entry.isSymbolicLink()) return { name: entry.name, kind: "other" };
      return { name: entry.name, kind: kindBehindLink(join(path, entry.name)), isLink: true };
    });
  },
  async rm(path) {
    rmSync(path, { recursive: true, force: true });
  },
  async rename(from, to) {
    renameSync(from, to);
  },
  async realPath(path) {
    return realPathOf(path);
  },
  async touch(path, mtimeMs) {
    utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
  },
};

function readFully(fd: number, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.length) {
    const got = readSync(fd, into, done, into.length - done, position + done);
    if (got === 0) break;
    done += got;
  }
  return done;
}

/** Nothing thrown where nothing is: an error costs more than looking at ten files. */
function statOrError(path: string): StatAnswer {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && toStat(stats);
  } catch (error) {
    return error as Error;
  }
}

function toStat(stats: Stats): FileStat {
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  const { size, mtimeMs, ino, birthtimeMs } = stats;
  return { kind, size, mtimeMs, ino, mode: stats.mode & 0o7777, birthtimeMs };
}

function kindBehindLink(path: string): FolderEntry["kind"] {
  try {
    return toStat(statSync(path)).kind;
  } catch {
    return "other"; // dangling, or a loop
  }
}
