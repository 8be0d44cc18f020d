/** SessionFs in memory: for tests, and as the reference for other providers. */
import { posix } from "node:path";
import type { FileStat, FolderEntry, SessionFs } from "./session-fs.ts";

interface MemoryFile {
  bytes: Buffer;
  /** What `bytes` is the beginning of, where there is room to append: a log is appended to thousands of times. */
  room?: Buffer;
  mtimeMs: number;
  ino: number;
  mode: number;
}

export interface MemoryFs extends SessionFs {
  /** Every file by path, for assertions. */
  readonly files: ReadonlyMap<
    string,
    { readonly bytes: Buffer; readonly mode: number; readonly mtimeMs: number }
  >;
}

export function createMemoryFs(
  initial: Record<string, string | Uint8Array> = {},
  now: () => number = () => 0,
): MemoryFs {
  const files = new Map<string, MemoryFile>();
  const folders = new Set<string>(["/"]);
  let inodes = 1;

  const addFolders = (path: string): void => {
    for (let at = path; !folders.has(at); at = posix.dirname(at)) folders.add(at);
  };
  const put = (path: string, data: Uint8Array | string, mode: number): void => {
    files.set(path, {
      bytes: Buffer.from(data as string),
      mtimeMs: now(),
      ino: files.get(path)?.ino ?? inodes++,
      mode,
    });
  };
  const get = (path: string): MemoryFile => {
    const file = files.get(path);
    if (!file) throw errno(folders.has(path) ? "EISDIR" : "ENOENT", path);
    return file;
  };
  const needParent = (path: string): void => {
    if (!folders.has(posix.dirname(path))) throw errno("ENOENT", path);
  };

  for (const [path, data] of Object.entries(initial)) {
    addFolders(posix.dirname(path));
    put(path, data, 0o600);
  }

  const fs: MemoryFs = {
    files,
    hasDatabases: true,
    async read(path, range) {
      return get(path).bytes.subarray(range?.start ?? 0, range?.end);
    },
    async *chunks(path, range) {
      const bytes = get(path).bytes.subarray(range?.start ?? 0, range?.end);
      if (bytes.length > 0) yield bytes;
    },
    async write(path, data, mode = 0o600) {
      needParent(path);
      put(path, data, mode);
    },
    async append(path, data) {
      needParent(path);
      const before = files.get(path);
      const more = Buffer.from(data as string);
      const [start, length] = [before?.bytes.length ?? 0, (before?.bytes.length ?? 0) + more.length];
      let room = before?.room;
      if (!room || room.length < length) {
        room = Buffer.alloc(length * 2);
        before?.bytes.copy(room);
      }
      more.copy(room, start);
      put(path, "", before?.mode ?? 0o600);
      Object.assign(get(path), { bytes: room.subarray(0, length), room });
    },
    async exists(path) {
      return files.has(path) || folders.has(path);
    },
    async stat(path): Promise<FileStat> {
      if (folders.has(path)) return { kind: "folder", size: 0, mtimeMs: 0, ino: 0, mode: 0o700 };
      const file = get(path);
      return { kind: "file", size: file.bytes.length, mtimeMs: file.mtimeMs, ino: file.ino, mode: file.mode };
    },
    async mkdir(path) {
      addFolders(path);
    },
    async readdir(path) {
      if (!folders.has(path)) throw errno(files.has(path) ? "ENOTDIR" : "ENOENT", path);
      const inside = (candidate: string): boolean => candidate !== "/" && posix.dirname(candidate) === path;
      const entry = (kind: FolderEntry["kind"]) => (full: string) => ({ name: posix.basename(full), kind });
      return [
        ...[...folders].filter(inside).map(entry("folder")),
        ...[...files.keys()].filter(inside).map(entry("file")),
      ].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async rm(path) {
      const below = (candidate: string): boolean => candidate === path || candidate.startsWith(`${path}/`);
      for (const key of [...files.keys()].filter(below)) files.delete(key);
      for (const key of [...folders].filter(below)) folders.delete(key);
    },
    async rename(from, to) {
      needParent(to);
      const moved = (candidate: string): boolean => candidate === from || candidate.startsWith(`${from}/`);
      const fromFiles = [...files].filter(([key]) => moved(key));
      const fromFolders = [...folders].filter(moved);
      if (fromFiles.length + fromFolders.length === 0) throw errno("ENOENT", from);
      for (const [key, file] of fromFiles) {
        files.delete(key);
        files.set(to + key.slice(from.length), file);
      }
      for (const key of fromFolders) {
        folders.delete(key);
        folders.add(to + key.slice(from.length));
      }
    },
    async touch(path, mtimeMs) {
      get(path).mtimeMs = mtimeMs;
    },
  };
  return fs;
}

function errno(code: string, path: string): NodeJS.ErrnoException {
  const words =
    code === "ENOENT"
      ? "no such file or directory"
      : code === "EISDIR"
        ? "illegal operation on a directory"
        : "not a directory";
  return Object.assign(new Error(`${code}: ${words}, '${path}'`), { code, path });
}
