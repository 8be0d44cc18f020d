/** A file in the vault: its name, its attributes, and its blocks in order. */
import { blocksOf } from "../../platform/fs/file-hash.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { BLOCK } from "./block.ts";
import type { Vault } from "./vault.ts";

export interface KeptFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly mode: number;
  readonly blocks: readonly string[];
}

type Readable = Pick<SessionFs, "chunks" | "stat">;

/** So many blocks of an earlier version are read each time, about 0.2 s: of a larger file some, and others the next time. */
const MOST_PROVEN = 64;

/**
 * Puts a file into the vault, to be flushed. Of one that only grew since it was kept before, what is new is read. Blocks
 * that were kept before are only relied on when they are still whole; otherwise the file itself is read again.
 */
export async function keepFile(
  vault: Vault,
  fs: Readable,
  path: string,
  before?: KeptFile,
  mostProven = MOST_PROVEN,
): Promise<KeptFile> {
  const { size, mtimeMs, ino, mode } = await fs.stat(path);
  const isUnchanged = before?.size === size && before.mtimeMs === mtimeMs && before.ino === ino;
  const areWhole = (blocks: readonly string[]): boolean =>
    blocks.every(vault.has) && choose(blocks, size, mostProven).every(vault.isWhole);
  if (isUnchanged && areWhole(before.blocks)) return before;
  const hasGrown = before?.ino === ino && before.size < size;
  const same = hasGrown ? await blocksThatStay(vault, fs, path, before, areWhole) : [];
  const start = same.length * BLOCK;
  const { blocks, bytes } = await putRange(vault, fs, path, { start, end: size });
  return { path, size: start + bytes, mtimeMs, ino, mode, blocks: [...same, ...blocks] };
}

/**
 * The full blocks of the earlier version, if they are whole and the last of them is still the same: then the file was only
 * appended to.
 */
async function blocksThatStay(
  vault: Vault,
  fs: Readable,
  path: string,
  before: KeptFile,
  areWhole: (blocks: readonly string[]) => boolean,
): Promise<string[]> {
  const full = before.blocks.slice(0, Math.floor(before.size / BLOCK));
  if (full.length === 0 || !areWhole(full)) return [];
  const end = full.length * BLOCK;
  const { blocks } = await putRange(vault, fs, path, { start: end - BLOCK, end });
  return blocks[0] === full.at(-1) ? full : [];
}

/** All of them, or a run that begins elsewhere with every size that the file has, and goes on at the start. */
function choose(blocks: readonly string[], size: number, most: number): readonly string[] {
  if (blocks.length <= most) return blocks;
  const start = size % blocks.length;
  return [...blocks, ...blocks].slice(start, start + most);
}

/** Through one buffer, so that a log of any size fits. A file that is cut off meanwhile ends where it ends. */
async function putRange(
  vault: Vault,
  fs: Readable,
  path: string,
  range: { readonly start: number; readonly end: number },
): Promise<{ blocks: string[]; bytes: number }> {
  const blocks: string[] = [];
  let bytes = 0;
  const size = Math.min(BLOCK, range.end - range.start);
  if (size > 0)
    for await (const block of blocksOf(fs.chunks(path, range), size)) {
      bytes += block.length;
      blocks.push(await vault.put(block));
    }
  return { blocks, bytes };
}
