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
} from "../platform/own-files.ts";
import { createWriteBatch } from "../platform/write-batch.ts";
import { toAppError } from "./faults.ts";

/** Files are cut here, counted from their start, so that a log that grew shares all but its last block. */
export const BLOCK = 1 << 20;

export interface Vault {
  /** At most a block; the same bytes are stored once. It is there only after `flush`. */
  put(bytes: Uint8Array): Promise<string>;
  /** All that was put is there, and safe from a power cut. */
  flush(): Promise<void>;
  /** Gives up what was not flushed. */
  abandon(): void;
  /** Throws when the block is gone or no longer what it was. */
  get(hash: string): Buffer;
  has(hash: string): boolean;
  /** What a block takes on disk; nothing when it is gone. */
  sizeOf(hash: string): number;
  remove(hash: string): void;
  hashes(): string[];
  /** Removes what killed processes left half written. */
  tidy(): void;
  /** What all blocks take on disk. */
  bytes(): number;
}

const TEMP = "tmp-";
/** Each is an open file. */
const MOST_WAITING = 128;

/** Two hundred and fifty-six folders: none of them grows so large that a file system becomes slow. */
export function openVault(home: string): Vault {
  const folder = join(home, "vault");
  const folderOf = (hash: string): string => join(folder, hash.slice(0, 2));
  const pathOf = (hash: string): string => join(folderOf(hash), hash);
  const batch = createWriteBatch();
  const waiting = new Set<string>();
  let isReady = false;
  let written = 0;
  const tidy = (): void => {
    if (isThere(folder)) removeLeftBehind(folder, TEMP);
  };
  const prepare = (): void => {
    if (isReady) return;
    makeFolder(folder);
    tidy();
    isReady = true;
  };
  const flush = async (): Promise<void> => {
    if (waiting.size === 0) return;
    await batch.settle();
    syncFolder(folder);
    waiting.clear();
  };
  /** What is wrong with the disk comes out as something a person can act on. */
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      waiting.clear();
      throw toAppError(error, folder);
    }
  };
  const hashes = (): string[] =>
    namesIn(folder)
      .filter((name) => /^[0-9a-f]{2}$/.test(name))
      .flatMap((name) => namesIn(join(folder, name)));

  return {
    async put(bytes) {
      if (bytes.length > BLOCK) throw new RangeError(`a block has at most ${BLOCK} bytes`);
      const hash = hashOf(bytes);
      if (waiting.has(hash) || isThere(pathOf(hash))) return hash;
      await guarded(async () => {
        prepare();
        makeFolder(folderOf(hash));
        const temp = join(folder, `${TEMP}${process.pid}-${written++}`);
        batch.add(pathOf(hash), zstdCompressSync(bytes), temp);
        waiting.add(hash);
        if (batch.size >= MOST_WAITING) await flush();
      });
      return hash;
    },
    flush: () => guarded(flush),
    abandon() {
      batch.abandon();
      waiting.clear();
    },
    get(hash) {
      const stored = readIfThere(pathOf(hash));
      if (!stored) throw damaged(hash, "is not there");
      const bytes = unpack(hash, stored);
      if (hashOf(bytes) !== hash) throw damaged(hash, "holds other bytes than it should");
      return bytes;
    },
    has: (hash) => isThere(pathOf(hash)),
    sizeOf: (hash) => (isThere(pathOf(hash)) ? sizeOf(pathOf(hash)) : 0),
    remove: (hash) => removeFile(pathOf(hash)),
    hashes,
    tidy,
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
