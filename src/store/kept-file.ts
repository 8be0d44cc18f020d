/** A file as the vault keeps it: what it was called, how it looked, and its blocks in order. */
import type { SessionFs } from "../platform/session-fs.ts";
import { BLOCK, type Vault } from "./vault.ts";

export interface KeptFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly mode: number;
  readonly blocks: readonly string[];
}

/** Puts a file into the vault, to be flushed. Of one that only grew since it was kept before, what is new is read. */
export async function keepFile(
  vault: Vault,
  fs: Pick<SessionFs, "read" | "stat">,
  path: string,
  before?: KeptFile,
): Promise<KeptFile> {
  const { size, mtimeMs, ino, mode } = await fs.stat(path);
  if (before && before.size === size && before.mtimeMs === mtimeMs && before.ino === ino) return before;
  const read = (at: number): Promise<Uint8Array> =>
    fs.read(path, { start: at, end: Math.min(size, at + BLOCK) });
  const blocks = before?.ino === ino && before.size < size ? await blocksThatStay(vault, before, read) : [];
  let end = blocks.length * BLOCK;
  while (end < size) {
    const bytes = await read(end);
    if (bytes.length === 0) break; // cut off while it was read
    blocks.push(await vault.put(bytes));
    end += bytes.length;
    if (bytes.length < BLOCK) break;
  }
  return { path, size: end, mtimeMs, ino, mode, blocks };
}

/** The full blocks of the earlier version, if the last of them is still the same: then the file was only appended to. */
async function blocksThatStay(
  vault: Vault,
  before: KeptFile,
  read: (at: number) => Promise<Uint8Array>,
): Promise<string[]> {
  const full = before.blocks.slice(0, Math.floor(before.size / BLOCK));
  const last = full.at(-1);
  if (last === undefined) return [];
  return (await vault.put(await read((full.length - 1) * BLOCK))) === last ? full : [];
}
