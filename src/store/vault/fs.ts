/** SessionFs over files in the vault, so that a session whose files are gone is read like any other. */
import { pathsSpelledAs } from "../../model/values/paths.ts";
import {
  type ByteRange,
  type FileStat,
  type FolderEntry,
  refuseTooLarge,
  type SessionFs,
} from "../../platform/fs/session-fs.ts";
import { BLOCK } from "./block.ts";
import type { KeptFile } from "./kept-file.ts";
import type { Vault } from "./vault.ts";

export function createVaultFs(vault: Vault, kept: readonly KeptFile[]): SessionFs {
  const files = new Map(kept.map((file) => [file.path, file]));
  const folders = foldersOf(files.keys());
  // Readers ask for many small ranges of one block after another.
  let last: { readonly hash: string; readonly bytes: Buffer } | undefined;
  const block = (hash: string): Buffer => {
    if (last?.hash !== hash) last = { hash, bytes: vault.get(hash) };
    return last.bytes;
  };
  const get = (path: string): KeptFile => {
    const file = files.get(path);
    if (!file) throw folders.has(path) ? errno("EISDIR", path) : errno("ENOENT", path);
    return file;
  };
  const pieces = function* (path: string, range?: ByteRange): Generator<Buffer> {
    const file = get(path);
    const end = Math.min(range?.end ?? file.size, file.size);
    for (let at = range?.start ?? 0; at < end; ) {
      const number = Math.floor(at / BLOCK);
      const from = number * BLOCK;
      const piece = block(file.blocks[number] ?? "").subarray(at - from, end - from);
      if (piece.length === 0) return;
      yield piece;
      at += piece.length;
    }
  };
  const refuse = async (path: string): Promise<never> => {
    throw errno("EROFS", path);
  };

  return {
    async read(path, range) {
      const { size } = get(path);
      refuseTooLarge(path, Math.min(range?.end ?? size, size) - (range?.start ?? 0));
      return Buffer.concat([...pieces(path, range)]);
    },
    async *chunks(path, range) {
      yield* pieces(path, range);
    },
    exists: async (path) => files.has(path) || folders.has(path),
    async stat(path): Promise<FileStat> {
      if (folders.has(path)) return { kind: "folder", size: 0, mtimeMs: 0, ino: 0, mode: 0o700 };
      const { size, mtimeMs, ino, mode } = get(path);
      return { kind: "file", size, mtimeMs, ino, mode };
    },
    async readdir(path) {
      const entries = folders.get(path);
      if (!entries) throw errno(files.has(path) ? "ENOTDIR" : "ENOENT", path);
      return [...entries].map(([name, kind]): FolderEntry => ({ name, kind }));
    },
    write: refuse,
    append: refuse,
    mkdir: refuse,
    rm: refuse,
    rename: refuse,
  };
}

type Folders = Map<string, Map<string, FolderEntry["kind"]>>;

/** What lies in each folder above a kept file; spelled as the files are, whatever system they come from. */
function foldersOf(paths: Iterable<string>): Folders {
  const folders: Folders = new Map();
  for (const path of paths) {
    const { dirname, basename } = pathsSpelledAs(path);
    let kind: FolderEntry["kind"] = "file";
    for (let at = path; dirname(at) !== at; at = dirname(at)) {
      const entries = folders.get(dirname(at)) ?? new Map();
      folders.set(dirname(at), entries.set(basename(at), kind));
      kind = "folder";
    }
  }
  return folders;
}

const WORDS = {
  ENOENT: "no such file in the vault",
  EISDIR: "a folder, not a file",
  ENOTDIR: "a file, not a folder",
  EROFS: "what is in the vault does not change",
};

const errno = (code: keyof typeof WORDS, path: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: ${WORDS[code]}, '${path}'`), { code, path });
