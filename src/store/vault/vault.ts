/** The vault: compressed blocks named by their hash, verified before anything relies on them. */
import { join } from "node:path";
import { AppError } from "../../model/errors.ts";
import {
  isThere,
  makeFolder,
  readIfThere,
  removeFile,
  removeLeftBehind,
  sizeIfThere,
  syncFolder,
  temporaryName,
} from "../../platform/disk/own-files.ts";
import { createWriteBatch } from "../../platform/disk/write-batch.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";
import { toAppError } from "../faults.ts";
import { BLOCK, nameOf, pack, unpack } from "./block.ts";
import { listVault, TEMP, type VaultFiles, vaultFolder } from "./files.ts";

export interface Vault {
  /** At most a block; the same bytes are stored once, and again where the stored ones are bad. It is there only after `flush`. */
  put(bytes: Uint8Array): Promise<string>;
  /** All that was put is there, safe from a power cut, and was read back. */
  flush(): Promise<void>;
  /** Gives up what was not flushed. */
  abandon(): void;
  /** Throws when the block is gone or no longer what it was. */
  get(hash: string): Buffer;
  has(hash: string): boolean;
  /** Read and proven by this vault, and still there. */
  isWhole(hash: string): boolean;
  pathOf(hash: string): string;
  /** What a block takes on disk; nothing when it is gone. */
  sizeOf(hash: string): number;
  remove(hash: string): void;
  hashes(): readonly string[];
  /** Files in the vault's folder that are neither blocks nor being written, and what else is there that is no file. */
  strays(): readonly string[];
  /** Removes what killed processes left half written. */
  tidy(): void;
  /** What all blocks take on disk. */
  bytes(): number;
}

/** Each is an open file. */
const MOST_WAITING = 128;

/** Two hundred and fifty-six folders: none of them grows so large that a file system becomes slow. */
export function openVault(home: string): Vault {
  const folder = vaultFolder(home);
  const folderOf = (hash: string): string => join(folder, hash.slice(0, 2));
  const pathOf = (hash: string): string => join(folderOf(hash), hash);
  const batch = createWriteBatch();
  const waiting = new Set<string>();
  /** Blocks that were read and found whole. */
  const proven = new Set<string>();
  let isReady = false;
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
    const written = [...waiting];
    waiting.clear();
    for (const hash of written) read(hash);
  };
  const read = (hash: string): Buffer => {
    const bytes = readBlock(pathOf(hash), hash);
    proven.add(hash);
    return bytes;
  };
  const isWhole = (hash: string): boolean => {
    if (proven.has(hash)) return isThere(pathOf(hash));
    try {
      read(hash);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
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
  const list = (): VaultFiles => {
    try {
      return listVault(home);
    } catch (error) {
      throw toAppError(error, folder);
    }
  };
  const hashes = (): readonly string[] => list().hashes;

  return {
    async put(bytes) {
      if (bytes.length > BLOCK) throw new RangeError(`a block has at most ${BLOCK} bytes`);
      const hash = nameOf(bytes);
      if (waiting.has(hash) || isWhole(hash)) return hash;
      await guarded(async () => {
        prepare();
        makeFolder(folderOf(hash));
        batch.add(pathOf(hash), pack(bytes), join(folder, temporaryName(TEMP)));
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
    get: read,
    has: (hash) => isThere(pathOf(hash)),
    isWhole,
    pathOf,
    sizeOf: (hash) => sizeIfThere(pathOf(hash)) ?? 0,
    remove(hash) {
      proven.delete(hash);
      removeFile(pathOf(hash));
    },
    hashes,
    strays: () => list().strays,
    tidy,
    bytes: () => hashes().reduce((sum, hash) => sum + (sizeIfThere(pathOf(hash)) ?? 0), 0),
  };
}

function readBlock(path: string, hash: string): Buffer {
  let stored: Buffer | undefined;
  try {
    stored = readIfThere(path);
  } catch (error) {
    throw damaged(hash, `cannot be read (${reasonOf(error)})`, error);
  }
  if (!stored) throw damaged(hash, "is not there");
  const bytes = unpack(hash, stored);
  if ("why" in bytes) throw damaged(hash, bytes.why, bytes.cause);
  return bytes;
}

const damaged = (hash: string, what: string, cause?: unknown): AppError =>
  new AppError(
    "vault-damaged",
    `Block ${hash.slice(0, 12)} of the vault ${what}`,
    {
      say: "See what is affected, and repair what can be repaired",
      remedy: { action: "history", args: { verify: true, repair: true } },
    },
    cause,
  );
