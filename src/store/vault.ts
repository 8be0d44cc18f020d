/** The vault: blocks of bytes by their hash, compressed, never changed once written, and proven whole when read. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { AppError } from "../model/errors.ts";
import {
  isThere,
  makeFolder,
  namesIn,
  readIfThere,
  removeFile,
  removeLeftBehind,
  sizeOf,
  syncFolder,
  writeWhole,
} from "../platform/own-files.ts";
import { toAppError } from "./faults.ts";

/** Files are cut here, counted from their start, so that a log that grew shares all but its last block. */
export const BLOCK = 1 << 20;

export interface Vault {
  /** At most a block; the same bytes are stored once. */
  put(bytes: Uint8Array): string;
  /** What was put is safe from a power cut only after this. */
  flush(): void;
  /** Throws when the block is gone or no longer what it was. */
  get(hash: string): Buffer;
  has(hash: string): boolean;
  remove(hash: string): void;
  hashes(): string[];
  /** What all blocks take on disk. */
  bytes(): number;
}

const TEMP = "tmp-";

/** Two hundred and fifty-six folders: none of them grows so large that a file system becomes slow. */
export function openVault(home: string): Vault {
  const folder = join(home, "vault");
  const folderOf = (hash: string): string => join(folder, hash.slice(0, 2));
  const pathOf = (hash: string): string => join(folderOf(hash), hash);
  const touched = new Set<string>();
  let isReady = false;
  let written = 0;
  const prepare = (): void => {
    if (isReady) return;
    makeFolder(folder);
    removeLeftBehind(folder, TEMP);
    isReady = true;
  };
  const hashes = (): string[] =>
    namesIn(folder)
      .filter((name) => /^[0-9a-f]{2}$/.test(name))
      .flatMap((name) => namesIn(join(folder, name)));

  return {
    put(bytes) {
      if (bytes.length > BLOCK) throw new RangeError(`a block has at most ${BLOCK} bytes`);
      const hash = hashOf(bytes);
      if (isThere(pathOf(hash))) return hash;
      try {
        prepare();
        makeFolder(folderOf(hash));
        writeWhole(pathOf(hash), zstdCompressSync(bytes), join(folder, `${TEMP}${process.pid}-${written++}`));
      } catch (error) {
        throw toAppError(error, folder);
      }
      touched.add(folderOf(hash));
      return hash;
    },
    flush() {
      if (touched.size === 0) return;
      for (const each of touched) syncFolder(each);
      syncFolder(folder);
      touched.clear();
    },
    get(hash) {
      const stored = readIfThere(pathOf(hash));
      if (!stored) throw damaged(hash, "is not there");
      const bytes = unpack(hash, stored);
      if (hashOf(bytes) !== hash) throw damaged(hash, "holds other bytes than it should");
      return bytes;
    },
    has: (hash) => isThere(pathOf(hash)),
    remove: (hash) => removeFile(pathOf(hash)),
    hashes,
    bytes: () => hashes().reduce((sum, hash) => sum + sizeOf(pathOf(hash)), 0),
  };
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function unpack(hash: string, stored: Buffer): Buffer {
  try {
    return zstdDecompressSync(stored, { maxOutputLength: BLOCK });
  } catch (error) {
    throw damaged(hash, "cannot be unpacked", error);
  }
}

const damaged = (hash: string, what: string, cause?: unknown): AppError =>
  new AppError(
    "vault-damaged",
    `Block ${hash.slice(0, 12)} of the vault ${what}`,
    "Put the folder vault back from a backup of Rethread's data folder",
    cause,
  );
